import { join } from "node:path";
import { namedPlace, UsageError, writeFileIn, writeNamed } from "../../base/index.ts";
import type { ParsedReporter, ReportFile } from "../../reporters/index.ts";
import { print } from "./print.ts";

export async function deliver(
  pieces: AsyncIterable<string>,
  { reporter, file }: Pick<ParsedReporter, "reporter" | "file">,
): Promise<void> {
  if (file === undefined) return printAll(pieces);
  if (!isAddress(file)) return writeNamed(file, pieces);
  if (reporter.posts === undefined)
    throw new UsageError(
      `The reporter ${reporter.name} writes to a file; ${file} is an address.`,
      `Write ${reporter.name}=FILE.`,
    );
  for await (const piece of pieces) await post(file, piece, reporter.posts);
}

export function isAddress(file: string): boolean {
  return /^https?:\/\//i.test(file);
}

/** Writes the files of a format that is a folder. If a single file is named, the report must have only one. */
export async function deliverFiles(
  files: AsyncIterable<ReportFile>,
  { name, file }: { name: string; file: string },
): Promise<void> {
  const all: ReportFile[] = [];
  const isOne = file.endsWith(".json");
  const { path } = namedPlace(file);
  for await (const one of files) {
    if (isOne) all.push(one);
    else writeFileIn(join(path, one.path), one.text, { within: path });
  }
  if (!isOne) return;
  const [first] = all;
  if (first === undefined || all.length > 1)
    throw new UsageError(
      `The reporter ${name} writes ${all.length} files for this run, and ${file} names one file.`,
      `Name a folder: --reporter ${name}=FOLDER.`,
    );
  writeFileIn(path, first.text);
}

async function printAll(pieces: AsyncIterable<string>): Promise<void> {
  let last = "\n";
  for await (const piece of pieces) {
    // CSV lines end with CRLF in a file; on standard output they end as everywhere.
    print(piece.replaceAll("\r\n", "\n"));
    if (piece !== "") last = piece;
  }
  if (!last.endsWith("\n")) print("\n");
}

async function post(url: string, body: string, type: string): Promise<void> {
  // No redirects, because a report contains prompts and answers.
  const sending = {
    method: "POST",
    body,
    headers: { "content-type": type },
    redirect: "manual",
    signal: AbortSignal.timeout(30_000),
  } as const;
  const wrong = await fetch(url, sending).then(
    async (response) =>
      response.ok
        ? undefined
        : response.status >= 300 && response.status < 400
          ? `it redirects (${response.status}), and redirects are not followed`
          : `it answers ${response.status} ${await beginning(response)}`,
    (error: unknown) => `it cannot be reached (${error instanceof Error ? reason(error) : String(error)})`,
  );
  if (wrong !== undefined)
    throw new UsageError(
      `The report was not sent to ${url}: ${wrong}.`,
      "The run itself is in the record: proctor report sends it again.",
    );
}

/** Reads only the start, because a reply may be of any length. */
async function beginning({ body }: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= 200) break;
  }
  return text.slice(0, 200);
}

function reason({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== "" ? cause.message : message;
}
