/** The HTML page, for the server behind `proctor view`. */
export { pageDocument } from "./document.ts";
export { libraryData, type PageMemory, pageOfRun, servedData, servedTranscript } from "./page.ts";
export type { PageData, PageTranscript } from "./page-data.ts";
export { libraryFacts } from "./project/library-facts.ts";
export { packPage, packTrials } from "./wire.ts";
