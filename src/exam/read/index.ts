/**
 * Reads a library's suites: files that may hold questions are offered to the formats, and what no format understands is
 * reported.
 */

export { readSuitesByLibrary } from "./by-library.ts";
export { type Imported, importSuites } from "./import/import-suites.ts";
export { narrowSuites, readSuiteFile, readSuites } from "./read-suites.ts";
