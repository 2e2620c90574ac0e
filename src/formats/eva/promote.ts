import { join, relative } from "node:path";
import { readText, UsageError, writeFileIn } from "../../base/index.ts";
import { type EvaFiles, type EvaRow, evaFiles, lastEvaRow } from "./log.ts";

const statuses = ["draft", "tested", "ready"] as const;
type EvaStatus = (typeof statuses)[number];

export interface Promotion {
  from: EvaStatus;
  to: EvaStatus;
  file: string;
}

/**
 * Moves `status` in an eva prompt's meta.yml one step up (draft, tested, ready), or back.
 * A step up needs evidence: a full run of exactly these files, and for `ready` one in which everything passed. A step
 * back needs a reason.
 */
export async function promotePrompt(dir: string, to: string, reason?: string): Promise<Promotion> {
  const target = asStatus(to);
  const file = join(dir, "meta.yml");
  const read = readText(file, { within: dir });
  if (read.status === "unreadable")
    throw new UsageError(
      read.reason === "missing" ? `There is no meta.yml in ${dir}.` : `${file} cannot be read: ${read.message}.`,
      "Promotion is for eva prompt folders.",
    );
  const { text } = read;
  const field = await statusField(text, file);
  const steps = statuses.indexOf(target) - statuses.indexOf(field.status);
  if (steps === 0) throw new UsageError(`It is ${target} already.`);
  if (steps > 1)
    throw new UsageError(`It is ${field.status}; the next step is ${statuses[statuses.indexOf(field.status) + 1]}.`);
  if (steps < 0 && !reason)
    throw new UsageError(`Going back from ${field.status} to ${target} needs a reason.`, 'Add --reason "…".');
  if (steps > 0) await demandEvidence(dir, target);

  const written = `${text.slice(0, field.start)}${field.before}${target}${text.slice(field.end)}`;
  writeFileIn(file, written, { within: dir });
  return { from: field.status, to: target, file };
}

function asStatus(text: string): EvaStatus {
  const status = statuses.find((known) => known === text);
  if (status === undefined) throw new UsageError(`"${text}" is not a status.`, `Known: ${statuses.join(", ")}.`);
  return status;
}

async function statusField(
  text: string,
  file: string,
): Promise<{ status: EvaStatus; start: number; end: number; before: string }> {
  const { isMap, isScalar, parseDocument } = await import("yaml");
  const document = parseDocument(text, { keepSourceTokens: true });
  if (document.errors.length > 0 || !isMap(document.contents))
    throw new UsageError(`${file} is not a YAML mapping.`, "proctor check shows where.");
  const value = document.contents.get("status", true);
  if (value === undefined) {
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    return { status: "draft", start: text.length, end: text.length, before: `${gap}status: ` };
  }
  if (!isScalar(value) || !value.range) throw new UsageError(`status in ${file} is not a word.`);
  return { status: asStatus(String(value.value)), start: value.range[0], end: value.range[1], before: "" };
}

async function demandEvidence(dir: string, to: EvaStatus): Promise<void> {
  const row = await lastEvaRow(dir);
  const missing = row === undefined ? ["no full run is on file"] : await lacking(row, dir, to);
  if (missing.length > 0) {
    const failed = row !== undefined && to === "ready" && !row.all_passed;
    throw new UsageError(
      `It cannot become ${to}: ${missing.join("; ")}.`,
      `${failed ? "Fix what failed, then run it again" : "Run it first"}: proctor run ${relative(process.cwd(), dir) || "."}`,
    );
  }
}

async function lacking(
  { all_passed, passed, total, failed_cases, proctor }: EvaRow,
  dir: string,
  to: EvaStatus,
): Promise<string[]> {
  const missing: string[] = [];
  const { how = "complete" } = proctor ?? {};
  if (how !== "complete")
    missing.push(`the last run was ${how === "stopped" ? "stopped before its end" : "interrupted"}`);
  if (to === "ready" && !all_passed)
    missing.push(`the last full run passed ${passed} of ${total}: ${failed_cases.join(", ")}`);
  if (proctor === undefined || isOld(proctor.files))
    return [...missing, "the last run does not say which files it examined"];
  const elsewhere = Object.keys(proctor.files).filter((name) => name.startsWith("../"));
  const now = await evaFiles(
    dir,
    elsewhere.map((name) => join(dir, name)),
  );
  return [...missing, ...changed(proctor.files, now)];
}

/** Rows of earlier versions list only three files, under other names. */
function isOld(files: EvaFiles): boolean {
  return files["prompt.xml"] === undefined;
}

function changed(then: EvaFiles, now: EvaFiles): string[] {
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])].sort();
  return names.flatMap((name) => {
    if (then[name] === now[name]) return [];
    const what = then[name] === undefined ? "is new" : now[name] === undefined ? "is gone" : "has changed";
    return [`${name} ${what} since the last full run`];
  });
}
