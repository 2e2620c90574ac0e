/**
 * Finds what is examined: SKILL.md and its frontmatter, skills in any layout, and the library they form.
 * Host-independent.
 */

export { copyLibrary } from "./copy-library.ts";
export { descriptionLines } from "./description-lines.ts";
export { type DiscoverOptions, type Discovery, discover, skillFilesIn } from "./discovery/discover.ts";
export { byRoot } from "./discovery/root.ts";
export { isTestData } from "./discovery/test-data.ts";
export { isNeverOfInterest } from "./discovery/walk.ts";
export { skillFilesFingerprint, skillFingerprint } from "./fingerprints.ts";
export { KEYWORDS_NEED, type KeywordSource, keywordOverlap } from "./keyword-overlap.ts";
export { findSkill, type Names, type NamesNear, namesNear, namesOf, type Owner, pathInLibrary } from "./names.ts";
export { placeIn } from "./place.ts";
export { readFrontmatter } from "./reading/frontmatter.ts";
export { jsonFault } from "./reading/json-fault.ts";
export { readSkill } from "./reading/read-skill.ts";
export { readingRules } from "./rules.ts";
export { skillFiles, withoutExam } from "./skill-files.ts";
