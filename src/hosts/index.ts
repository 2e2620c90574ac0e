/**
 * Who shows skills to models: one folder per host, all of the same shape, plus everything derived from them without
 * starting a process. Kept light: lint and event readers are inner rooms, and adapters are loaded on demand.
 */

export type {
  AgentAdapter,
  EventReader,
  Exit,
  FirstMove,
  LaunchPlan,
  SessionFacts,
  SessionFile,
  ShownSkills,
  StopReason,
  TrialSetup,
} from "./adapter.ts";
export { cardOnHost } from "./card.ts";
export { type AgentHost, agentHosts, hostOf, loadAdapter, loadAdapters } from "./find-host.ts";
export { type FrontmatterField, frontmatterFields } from "./frontmatter-fields.ts";
export type {
  AskedHosts,
  Finding,
  Host,
  HostId,
  LintFacts,
  Listing,
  ListingOptions,
  OddName,
  ShownCard,
} from "./host.ts";
export { hosts } from "./list.ts";
export { listing, longestDescription } from "./listing.ts";
export type { Login, LoginQuery, LoginSource, RefusedLogin } from "./login.ts";
export { foldedPath, otherToolFolders, ownFileLists, ownFileOf } from "./own-files.ts";
export { hostRules } from "./rules.ts";
export { characters, grouped, hostNames, isLonger, listed, some, unknownModelText } from "./sentence-parts.ts";
export { MOST_DESCRIPTION, MOST_NAME } from "./spec/fields.ts";
