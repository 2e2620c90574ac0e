import { dirname, join, resolve } from "node:path";
import {
  isTaken,
  isWithin,
  type Problem,
  readBytes,
  relativePosix,
  safeSegment,
  UsageError,
  writeFileIn,
} from "../../../base/index.ts";
import type { Library, Suite } from "../../../model/index.ts";
import { namesOf } from "../../find/index.ts";
import { readSuiteFile, readSuites } from "../read-suites.ts";
import { type NativeFolder, toNative } from "./native.ts";
import { missingQuestions } from "./same-questions.ts";
import { isTestCode, readTestCode } from "./test-code.ts";

export interface ImportRequest {
  library: Library;
  files: string[];
  /** A file or folder; only suites in it are imported. */
  from: string;
  to: string;
  /** Overwrite files that differ. */
  force?: boolean;
}

export interface Imported {
  /** Absolute paths, with the number of questions in them. */
  written: { file: string; triggers: number; cases: number; same: boolean }[];
  /** What a native file cannot express, and what was not understood. */
  lost: string[];
  /** Questions, with their places, that the written files do not ask in the same way. */
  changed: string[];
  problems: Problem[];
}

/** Writes suites of any format as native files, one folder per skill. The same suites always give the same bytes. */
export async function importSuites({ library, files, from, to, force = false }: ImportRequest): Promise<Imported> {
  const source = resolve(from);
  const target = resolve(to);
  // Files of an earlier import are not a source of this one.
  const wanted = files.filter(
    (file) => isWithin(source, file) && (!isWithin(target, file) || isWithin(target, source)),
  );
  const data = await readSuites({ library, files: wanted });
  const code = await readTestCode(wanted, library);
  const suites = [...data.suites, ...code.suites];
  // The reader of code reports more about code.
  const problems = [...data.problems.filter(({ location }) => !isTestCode(location.file)), ...code.problems];
  const { folders, lost } = toNative(suites, library);
  const written: Imported["written"] = [];
  const plan: { file: string; bytes: string | Uint8Array }[] = [];
  const used = new Set<string>();
  for (const folder of folders) {
    const { base, says } = homeOf(folder.skill, { target, library, used });
    for (const [kind, rows] of [
      ["triggers", folder.triggers],
      ["evals", folder.evals],
    ] as const) {
      if (rows.length === 0) continue;
      const file = join(base, `${kind}.json`);
      const bytes = `${JSON.stringify({ skill_name: says, [kind]: rows }, null, 2)}\n`;
      plan.push({ file, bytes });
      written.push({
        file,
        triggers: kind === "triggers" ? rows.length : 0,
        cases: kind === "evals" ? rows.length : 0,
        same: same(file, bytes),
      });
    }
    for (const copy of folder.copies)
      if (resolve(base, copy.to) !== copy.from) plan.push({ file: join(base, copy.to), bytes: contentOf(copy) });
  }
  const differing = plan
    .filter(({ file, bytes }) => isTaken(file) && !same(file, bytes))
    .map(({ file }) => shown(file));
  if (differing.length > 0 && !force) {
    throw new UsageError(
      `${differing.join(", ")} ${differing.length === 1 ? "exists and differs" : "exist and differ"}; nothing was written.`,
      "Import into another folder, or replace with --force.",
    );
  }
  for (const { file, bytes } of plan) if (!same(file, bytes)) writeFileIn(file, bytes, { within: target });
  return { written, lost, changed: await changedQuestions(suites, written, library), problems };
}

function homeOf(
  skill: string,
  { target, library, used }: { target: string; library: Library; used: Set<string> },
): { base: string; says?: string | null } {
  const ownerOf = (folder: string) => namesOf(library).owner(join(folder, "triggers.json"));
  if (skill === "") return { base: target, says: ownerOf(target) === undefined ? undefined : null };
  const own = safeSegment(skill.replaceAll(/(?<=[^:/\\.])[:/\\]+(?=[^:/\\.])/g, "-"));
  const names = [
    own,
    safeSegment(skill.slice(skill.lastIndexOf(":") + 1)),
    ...[2, 3, 4, 5].map((count) => `${own}-${count}`),
    `of-${own}`,
  ];
  const leads = (name: string) => {
    const owner = ownerOf(join(target, name));
    return (
      owner === undefined ||
      owner.by === "only" ||
      owner.by === "around" ||
      (owner.id === skill && owner.skill !== undefined)
    );
  };
  const name = names.find((one) => !used.has(one.toLowerCase()) && leads(one)) ?? own;
  used.add(name.toLowerCase());
  return { base: join(target, name), says: skill };
}

/** Reads the written files back, so that an import reports the questions it changed. */
async function changedQuestions(
  before: readonly Suite[],
  written: Imported["written"],
  library: Library,
): Promise<string[]> {
  const after = await Promise.all(written.map(({ file }) => readSuiteFile(file, library)));
  const missing = missingQuestions(
    before,
    after.flatMap((suite) => suite ?? []),
    library.root,
  );
  return missing.map(({ id, source }) => `${shown(source.file)}:${source.line ?? 1} ${id}`);
}

/** A link that leads elsewhere does not count as the same file. */
function same(file: string, bytes: string | Uint8Array): boolean {
  const read = readBytes(file, { within: dirname(file), mostBytes: MOST_COPIED });
  return read.status === "bytes" && read.bytes.equals(Buffer.from(bytes as Uint8Array));
}

function contentOf({ from, within }: NativeFolder["copies"][number]): Uint8Array {
  const read = readBytes(from, { within, mostBytes: MOST_COPIED });
  if (read.status === "bytes") return read.bytes;
  throw new UsageError(
    `${shown(from)} cannot be copied: ${read.message}.`,
    "Put a regular file there, or take it out of the suite.",
  );
}

const MOST_COPIED = 256 * 1024 * 1024;

function shown(file: string): string {
  return relativePosix(process.cwd(), file);
}
