import type { Scores } from "../../model/index.ts";
import type { RenderOptions, Reporter, ReportFile } from "../reporter.ts";

/** A reporter for the result files of another tool: a folder of JSON documents. What is printed instead is one object, by path. */
export function resultFiles(
  { name, about, missing }: Pick<Reporter, "name" | "about"> & { missing: string },
  documents: (scores: Scores, options: RenderOptions) => AsyncIterable<{ path: string; document: object }>,
): Reporter {
  async function* files(scores: Scores, options: RenderOptions): AsyncGenerator<ReportFile> {
    for await (const { path, document } of documents(scores, options))
      yield { path, text: `${JSON.stringify(document, null, 2)}\n` };
  }
  async function* render(scores: Scores, options: RenderOptions): AsyncGenerator<string> {
    let before = "{";
    for await (const { path, document } of documents(scores, options)) {
      yield `${before}\n${JSON.stringify(path)}: ${JSON.stringify(document, null, 2)}`;
      before = ",";
    }
    yield before === "{" ? "{}\n" : "\n}\n";
  }
  return { name, about, render, files, missing };
}
