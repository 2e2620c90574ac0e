/**
 * What is examined: SKILL.md and its frontmatter, discovery of skills in any layout, the library they form,
 * and what each host makes of them.
 */

export { cardOnHost } from "../hosts/card.ts";
export { type DiscoverOptions, type Discovery, discover } from "./discover.ts";
export { findSkill } from "./find-skill.ts";
export { skillFilesFingerprint, skillFingerprint } from "./fingerprints.ts";
export { frontmatterFields } from "../hosts/frontmatter-fields.ts";
export { type HostId, hostIds } from "../hosts/host.ts";
export { checkSkills } from "../hosts/lint/check-skills.ts";
export { type Listing, listing, longestDescription } from "../hosts/listing.ts";
export { readSkill } from "./read-skill.ts";
export { skillRules } from "./rules.ts";
export type { Card, Library, Skill } from "./skill.ts";
export { skillFiles, withoutExam } from "./skill-files.ts";
