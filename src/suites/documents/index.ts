export type { Document } from "./document.ts";
export { parseDocument } from "./load.ts";
export * from "./node.ts";
