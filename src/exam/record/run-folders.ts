import { closeSync, readSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { listFolder, nearest, openFile, ownFolder, projectOf, toPosix, UsageError } from "../../base/index.ts";

/** Where a run is kept. */
export interface RecordPlace {
  run: string;
  /** Absolute path of the run's folder. */
  dir: string;
  /** Absolute path of its record.jsonl. */
  file: string;
}

/** Opens a run by its id, `latest` (the default), its folder, or its record.jsonl. */
export async function openRecord(root: string, which = "latest"): Promise<RecordPlace> {
  const runs = await listRuns(root);
  if (which === "latest") {
    const newest = await newestPlace(root, runs);
    if (newest === undefined)
      throw new UsageError(`There is no run in ${toPosix(runsFolder(root))}`, "proctor run creates one.");
    return newest;
  }
  if (runs.includes(which)) return placeOf(join(runsFolder(root), which));
  const path = resolve(root, which);
  if (await isFile(join(path, "record.jsonl"))) return placeOf(path);
  if (await isFile(path)) return { run: basename(dirname(path)), dir: dirname(path), file: path };
  throw new UsageError(`There is no run \`${which}\``, otherRuns(which, runs));
}

/** All run ids look alike, so the newest are a better guess than the most similar ones. */
function otherRuns(which: string, runs: readonly string[]): string {
  const newest = runs.slice(-3).toReversed();
  if (newest.length === 0) return "proctor run creates one.";
  const near = RUN_ID.test(which) ? [] : nearest(which, newest);
  if (near.length > 0) return `Did you mean ${near.join(", ")}?`;
  return newest.length === 1 ? `The newest is ${newest[0]}.` : `The newest are ${newest.join(", ")}.`;
}

/** Skips runs that were killed before they had a header. */
async function newestPlace(root: string, runs: readonly string[]): Promise<RecordPlace | undefined> {
  for (const run of runs.toReversed()) {
    const place = placeOf(join(runsFolder(root), run));
    if (await isFile(place.file)) return place;
  }
  return undefined;
}

/**
 * Ids of the runs kept under a root, oldest first. Sorted by the time in their headers, since a run may come from
 * elsewhere.
 */
export async function listRuns(root: string): Promise<string[]> {
  const folder = runsFolder(root);
  const runs = (await runIds(root)).map((id) => ({ id, made: timeOf(placeOf(join(folder, id))) }));
  return runs.sort((a, b) => a.made - b.made || byAge(a.id, b.id)).map(({ id }) => id);
}

export async function runIds(root: string): Promise<string[]> {
  // A link is not a run: a cloned project may contain one that leads elsewhere.
  const folders = listFolder(runsFolder(root)).filter((entry) => entry.isDirectory());
  return folders
    .map(({ name }) => name)
    .filter((name) => RUN_ID.test(name))
    .sort(byAge);
}

function timeOf({ run, file }: RecordPlace): number {
  const start = startOf(file);
  const [, time = ""] = /"createdAt":"([^"]{20,40})"/.exec(start) ?? /"startedAt":"([^"]{20,40})"/.exec(start) ?? [];
  const made = Date.parse(time);
  return Number.isNaN(made) ? Date.parse(run.slice(0, 10)) || 0 : made;
}

/** Headers begin with the time the run was made; the rest may be long. */
function startOf(file: string): string {
  const opened = openFile(file);
  if (opened.status === "unreadable") return "";
  try {
    const data = Buffer.alloc(512);
    const text = data.subarray(0, readSync(opened.fd, data, 0, data.length, 0)).toString("utf8");
    return text.split("\n", 1)[0] ?? "";
  } catch {
    return "";
  } finally {
    closeSync(opened.fd);
  }
}

export function runsFolder(root: string): string {
  return ownFolder(root, "runs");
}

/** The folder whose `.proctor` keeps the run; undefined for a record that lies elsewhere. */
export function homeOfRun({ dir }: RecordPlace): string | undefined {
  return projectOf(dirname(dir), "runs");
}

export function placeOf(dir: string): RecordPlace {
  return { run: basename(dir), dir, file: join(dir, "record.jsonl") };
}

/** The id after the last of the day: 2026-11-15-a … z, aa, ab … */
export function nextRunId(day: string, ids: readonly string[]): string {
  const last = ids
    .filter((id) => id.startsWith(`${day}-`))
    .sort(byAge)
    .at(-1);
  return `${day}-${last === undefined ? "a" : successor(last.slice(day.length + 1))}`;
}

const RUN_ID = /^\d{4}-\d{2}-\d{2}-[a-z]+$/;

function byAge(a: string, b: string): number {
  const [dayA, dayB] = [a.slice(0, 10), b.slice(0, 10)];
  if (dayA !== dayB) return dayA < dayB ? -1 : 1;
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

function successor(letters: string): string {
  const head = letters.slice(0, -1);
  if (!letters.endsWith("z")) return head + String.fromCharCode(letters.charCodeAt(head.length) + 1);
  return head === "" ? "aa" : `${successor(head)}a`;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile() && found.size > 0,
    () => false,
  );
}
