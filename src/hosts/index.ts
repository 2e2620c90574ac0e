/**
 * Who shows skills to models: one folder per host, all of one shape, and what can be said of them without starting anything.
 * Light: the lint and what reads a CLI's events are inner rooms, and each adapter is loaded when it is needed.
 */
export { cardOnHost } from "./card.ts";
export { type AgentHost, agentHosts, hostOf } from "./find-host.ts";
export { frontmatterFields } from "./frontmatter-fields.ts";
export type { HostId, ShownCard } from "./host.ts";
export { type Listing, type ListingOptions, listing, longestDescription } from "./listing.ts";
export { loadAdapter, loadAdapters } from "./load-adapter.ts";
export { foldedPath, ownFileLists, ownFileOf } from "./own-files.ts";
export { listed, unknownModelText } from "./words.ts";
