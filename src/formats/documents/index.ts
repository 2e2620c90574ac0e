export { headerOf } from "./csv.ts";
export { type Document, makeDocument } from "./document.ts";
export { pageOf } from "./front-matter.ts";
export { loadText, parseDocument, syntaxOf } from "./load.ts";
export { announcesPrompts } from "./markdown.ts";
export * from "./node.ts";
export { isDocumentation, isProsePage } from "./prose-page.ts";
