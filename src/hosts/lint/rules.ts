import type { Rule } from "../../base/index.ts";
import { readingRules } from "../../skills/index.ts";

/** Every code that can be said of skills: those of reading them, and those of the lint. Each has a page, docs/rules/<slug>.md. */
export const skillRules = {
  ...readingRules,
  "skill/file-name": { severity: "error", title: "The file is not called SKILL.md" },
  "skill/nested-folder": { severity: "error", title: "The skill is nested deeper than a host looks" },
  "skill/unquoted-colon": { severity: "error", title: "A value has an unquoted colon" },
  "skill/bom": { severity: "error", title: "The file starts with a byte order mark" },
  "skill/comment-cuts-value": { severity: "warning", title: "A # cuts a value short" },
  "skill/wrong-type": { severity: "error", title: "A frontmatter value has the wrong type" },
  "skill/unknown-key": { severity: "warning", title: "A frontmatter key looks mistyped" },
  "skill/extra-keys": { severity: "info", title: "Frontmatter keys outside the specification" },
  "skill/name-missing": { severity: "error", title: "The skill has no name" },
  "skill/name-invalid": { severity: "error", title: "The name breaks the rules for names" },
  "skill/name-not-folder": { severity: "warning", title: "The name differs from the folder's name" },
  "skill/name-reserved": { severity: "info", title: "The name contains a reserved word" },
  "skill/description-missing": { severity: "error", title: "The skill has no description" },
  "skill/description-too-long": { severity: "error", title: "The description is longer than 1,024 characters" },
  "skill/description-cut": { severity: "warning", title: "Claude Code cuts the description" },
  "skill/description-vague": { severity: "warning", title: "The description says too little" },
  "skill/description-no-when": { severity: "info", title: "The description does not say when to use the skill" },
  "skill/description-tags": { severity: "info", title: "The description contains XML tags" },
  "skill/compatibility-too-long": { severity: "error", title: "compatibility is longer than 500 characters" },
  "skill/body-empty": { severity: "warning", title: "The skill has no instructions" },
  "skill/body-long": { severity: "info", title: "The instructions are longer than 500 lines" },
  "skill/broken-link": { severity: "warning", title: "A link points to a missing file" },
  "skill/model-invocation-off": { severity: "info", title: "The model may not activate the skill on its own" },
  "skill/paths-gated": { severity: "info", title: "The skill is listed only when a matching file is touched" },
  "skill/hidden-from-user": { severity: "info", title: "The skill is hidden from the user's menu" },
  "skill/needs-permission": { severity: "info", title: "Activating the skill needs permission" },
  "skill/runs-commands": { severity: "warning", title: "The skill or its plugin runs commands by itself" },
  "skill/openai-yaml": { severity: "warning", title: "agents/openai.yaml cannot be read" },
  "skill/listing-budget": { severity: "warning", title: "A host does not show every description" },
} as const satisfies Record<string, Rule>;

export type SkillRule = keyof typeof skillRules;
