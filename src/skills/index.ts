/**
 * What is examined: SKILL.md and its frontmatter, discovery of skills in any layout, the library they form,
 * and what each host makes of them.
 */
export type { Card, Library, Skill, Source } from "./skill.ts";
