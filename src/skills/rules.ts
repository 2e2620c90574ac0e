import { type ProblemMaker, problemsBy, type Rule } from "../base/index.ts";

/** Every code that finding and reading skills can emit. Each has a page, docs/rules/<slug>.md. */
export const readingRules = {
  "skill/not-readable": { severity: "error", title: "The file of a skill cannot be read" },
  "skill/not-utf8": { severity: "error", title: "The file of a skill is not UTF-8" },
  "skill/no-frontmatter": { severity: "error", title: "SKILL.md has no frontmatter" },
  "skill/frontmatter-not-first": { severity: "error", title: "The frontmatter does not start on the first line" },
  "skill/frontmatter-not-closed": { severity: "error", title: "The frontmatter has no closing ---" },
  "skill/invalid-frontmatter": { severity: "error", title: "The frontmatter is not valid YAML" },
  "skill/eva-meta": { severity: "error", title: "meta.yml of a prompt folder is not usable" },
  "skill/duplicate-name": { severity: "warning", title: "Two skills of the library share a name" },
  "skill/copies-differ": { severity: "warning", title: "Copies of one skill differ" },
  "skill/plugin-manifest": { severity: "warning", title: "A plugin or marketplace manifest cannot be read" },
  "skill/link-outside": { severity: "info", title: "A link to a skill leads out of the root" },
  "skill/walk-cut": { severity: "warning", title: "The folder is too large to be searched whole" },
  "skill/library-empty": { severity: "warning", title: "A library of the configuration has no skill" },
} as const satisfies Record<string, Rule>;

export const problem: ProblemMaker<keyof typeof readingRules> = problemsBy(readingRules);
