/**
 * Who shows skills to models: one folder per host, all of one shape, and what can be said of them without starting anything.
 * Light: the lint and what reads a CLI's events are inner rooms, and each adapter is loaded when it is needed.
 */

export type {
  AgentAdapter,
  EventReader,
  FirstMove,
  LaunchPlan,
  SessionFacts,
  SessionFile,
  ShownSkills,
  TrialSetup,
} from "./adapter.ts";
export { cardOnHost } from "./card.ts";
export type { Exit, StopReason } from "./exit.ts";
export { falsy } from "./falsy.ts";
export { type AgentHost, agentHosts, hostOf } from "./find-host.ts";
export { type FrontmatterField, frontmatterFields } from "./frontmatter-fields.ts";
export type { AskedHosts, Finding, Host, HostId, LintFacts, OddName, ShownCard } from "./host.ts";
export { hosts } from "./list.ts";
export { type Listing, type ListingOptions, listing, longestDescription } from "./listing.ts";
export { loadAdapter, loadAdapters } from "./load-adapter.ts";
export type { Login, LoginQuery, LoginSource, RefusedLogin } from "./login.ts";
export { foldedPath, ownFileLists, ownFileOf } from "./own-files.ts";
export { hostRules } from "./rules.ts";
export { characters, grouped, hostNames, isLonger, listed, some, unknownModelText } from "./sentence-parts.ts";
export { MOST_DESCRIPTION, MOST_NAME } from "./spec/limits.ts";
