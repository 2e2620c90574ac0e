import type { Problem } from "../base/index.ts";
import type { Names, NamesNear } from "../exam/find/index.ts";
import type { FooterLine, Library, Scores, Suite } from "../model/index.ts";
import { type Document, syntaxOf } from "./documents/index.ts";
import type { ResultFiles } from "./results.ts";

/**
 * Everything Proctor knows about one tool's files: a folder here and a line in list.ts.
 * Nothing else decides whether a format is asked about a file.
 */
export interface Format {
  id: string;
  /** Which files may hold this format, by path below the library's root. Default: any JSON, YAML or CSV file. */
  files?(path: string): boolean;
  /** Whether the document has this format's structure. Formats are asked in the order of list.ts. */
  recognises?(document: Document, context: ReadContext): boolean;
  /** Null if the document holds no question after all; the next format is then asked. */
  read?(document: Document, context: ReadContext): Suite | null | Promise<Suite | null>;
  /** Reports files of this format that ask nothing, such as another tool's settings. */
  findProblems?(files: readonly string[], context: { names: Names; read: ReadonlySet<string> }): Problem[];
  /** The tool's own result files, offered as a reporter of this id. */
  results?: ResultFiles;
  /** Its suites name the models that answer them, which are asked if the user names no target. */
  namesTargets?: true;
  /** Called before a run of its suites; the returned function is called when the run has ended. */
  beforeRun?(suites: readonly Suite[], library: Library): Promise<AfterRun>;
}

export type AfterRun = (run: EndedRun) => Promise<void>;

interface EndedRun {
  id: string;
  how: FooterLine["how"];
  /** Whether no filter and no shard left a question out. */
  isWhole: boolean;
  targets: readonly { id: string; kind: string }[];
  scores(): Promise<Scores>;
}

export interface ReadContext {
  names: NamesNear;
  isNamed: boolean;
  /** Parses another file of the suite; its problems become the suite's. */
  load(file: string): Promise<Document | undefined>;
  /** Marks a file as part of this suite, so that it is not read as a suite of its own. */
  claim(file: string): void;
}

export function mayBeIn({ files = isData, recognises }: Format, path: string): boolean {
  return recognises !== undefined && files(path);
}

export function isData(path: string): boolean {
  const syntax = syntaxOf(path);
  return syntax !== undefined && syntax !== "markdown" && syntax !== "text";
}
