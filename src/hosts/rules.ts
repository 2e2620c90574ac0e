import type { Rule } from "../base/index.ts";

/** The rules that hosts report themselves. Each has a page, docs/rules/<slug>.md. */
export const hostRules = {
  "skill/wrong-type": { severity: "error", title: "A frontmatter value has the wrong type" },
  "skill/extra-keys": { severity: "info", title: "Frontmatter keys outside the specification" },
  "skill/name-reserved": { severity: "info", title: "The name contains a reserved word" },
  "skill/description-cut": { severity: "warning", title: "Claude Code cuts the description" },
  "skill/description-tags": { severity: "info", title: "The description contains XML tags" },
  "skill/model-invocation-off": { severity: "info", title: "The model may not activate the skill on its own" },
  "skill/paths-gated": { severity: "info", title: "The skill is listed only when a matching file is touched" },
  "skill/hidden-from-user": { severity: "info", title: "The skill is hidden from the user's menu" },
  "skill/needs-permission": { severity: "info", title: "Activating the skill needs permission" },
  "skill/openai-yaml": { severity: "warning", title: "agents/openai.yaml cannot be read" },
} as const satisfies Record<string, Rule>;

export type HostRule = keyof typeof hostRules;
