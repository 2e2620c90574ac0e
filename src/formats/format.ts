import type { Problem } from "../base/index.ts";
import type { Names, NamesNear } from "../exam/find/index.ts";
import type { FooterLine, Library, Scores, Suite } from "../model/index.ts";
import { type Document, syntaxOf } from "./documents/index.ts";
import type { ResultFiles } from "./results.ts";

/**
 * Everything Proctor knows about one tool's files. A format is a folder here and a line in list.ts;
 * nothing else decides whether it is asked about a file.
 */
export interface Format {
  id: string;
  /** Which files it may be in, by path below the library's root. Default: any JSON, YAML or CSV file. */
  files?(path: string): boolean;
  /** Whether the document has the structure of this format. The formats are asked in the order of the list. */
  recognises?(document: Document, context: ReadContext): boolean;
  /** Null if there turns out to be no question in it: then the next format is asked. */
  read?(document: Document, context: ReadContext): Suite | null | Promise<Suite | null>;
  /** Reports files of this format that ask nothing, such as another tool's settings. */
  findProblems?(files: readonly string[], context: { names: Names; read: ReadonlySet<string> }): Problem[];
  /** How its tool keeps results; reporters/ offers it as a reporter of this id. */
  results?: ResultFiles;
  /** Its suites name the models that answer them: these are asked where the user names no target. */
  namesTargets?: true;
  /** Called with its suites before a run asks them; what it returns is called when the run has ended. */
  beforeRun?(suites: readonly Suite[], library: Library): Promise<AfterRun>;
}

export type AfterRun = (run: EndedRun) => Promise<void>;

export interface EndedRun {
  id: string;
  how: FooterLine["how"];
  /** No filter and no shard left a question out. */
  isWhole: boolean;
  targets: readonly { id: string; kind: string }[];
  scores(): Promise<Scores>;
}

export interface ReadContext {
  /** The library's names, as the suite's file means them. */
  names: NamesNear;
  /** The user named this very file. */
  isNamed: boolean;
  /** Another file of the same suite, parsed; its problems become the suite's. */
  load(file: string): Promise<Document | undefined>;
  /** Marks a file as part of this suite, so that it is not read again as one of its own. */
  claim(file: string): void;
}

export function mayBeIn({ files = isData, recognises }: Format, path: string): boolean {
  return recognises !== undefined && files(path);
}

export function isData(path: string): boolean {
  const syntax = syntaxOf(path);
  return syntax !== undefined && syntax !== "markdown" && syntax !== "text";
}
