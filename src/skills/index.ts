/**
 * What is examined: SKILL.md and its frontmatter, discovery of skills in any layout, the library they form,
 * and what each host makes of them.
 */

export { cardOnHost } from "./card-on-host.ts";
export { type DiscoverOptions, type Discovery, discover } from "./discover.ts";
export { findSkill } from "./find-skill.ts";
export { skillFilesFingerprint, skillFingerprint } from "./fingerprints.ts";
export { frontmatterFields } from "./frontmatter-fields.ts";
export { type HostId, hostIds } from "./hosts.ts";
export { checkSkills } from "./lint/check-skills.ts";
export { type Listing, listing, longestDescription } from "./listings/listing.ts";
export { readSkill } from "./read-skill.ts";
export { skillRules } from "./rules.ts";
export type { Card, Library, Skill } from "./skill.ts";
export { skillFiles, withoutExam } from "./skill-files.ts";
