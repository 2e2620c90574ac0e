export type { Document } from "./document.ts";
export { pageOf } from "./front-matter.ts";
export * from "./node.ts";
