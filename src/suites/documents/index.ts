export type { Document, Syntax } from "./document.ts";
export { type LoadResult, loadDocument, parseDocument } from "./load.ts";
export * from "./node.ts";
