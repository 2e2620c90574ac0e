import { type ProblemMaker, problemsBy, type Rule } from "../../base/index.ts";

export const readingRules = {
  "skill/not-readable": { severity: "error", title: "A skill's file cannot be read" },
  "skill/not-utf8": { severity: "error", title: "A skill's file is not UTF-8" },
  "skill/no-frontmatter": { severity: "error", title: "SKILL.md has no frontmatter" },
  "skill/frontmatter-not-first": { severity: "error", title: "The frontmatter does not start on the first line" },
  "skill/frontmatter-not-closed": { severity: "error", title: "The frontmatter has no closing ---" },
  "skill/invalid-frontmatter": { severity: "error", title: "The frontmatter is not valid YAML" },
  "skill/eva-meta": { severity: "error", title: "A prompt folder's meta.yml cannot be used" },
  "skill/duplicate-name": { severity: "warning", title: "Two skills in the library share a name" },
  "skill/copies-differ": { severity: "warning", title: "Copies of a skill differ" },
  "skill/plugin-manifest": { severity: "error", title: "A plugin or marketplace manifest cannot be read" },
  "skill/link-outside": { severity: "info", title: "A link to a skill points outside the root" },
  "skill/walk-cut": { severity: "warning", title: "The folder is too large to search completely" },
  "skill/library-empty": { severity: "warning", title: "A configured library has no skills" },
} as const satisfies Record<string, Rule>;

export const problem: ProblemMaker<keyof typeof readingRules> = problemsBy(readingRules);
