/**
 * Reads the suites of a library: every file that may hold questions is offered to the formats, and what none
 * understands is reported.
 */

export { readSuitesByLibrary } from "./by-library.ts";
export { type Imported, importSuites } from "./import/import-suites.ts";
export { narrowSuites, readSuiteFile, readSuites } from "./read-suites.ts";
