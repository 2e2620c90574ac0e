import type { Transcript } from "../../../model/index.ts";
import type { CutText, PageStep, PageTranscript } from "../page-data.ts";
import { fileDiff } from "./file-diff.ts";

/** The most characters of one text and of one transcript, and the most steps. */
export interface TranscriptLimits {
  text: number;
  all: number;
  steps: number;
}

/** For a page that is a file: what is left off is in the record. */
export const IN_FILE: TranscriptLimits = { text: 3_000, all: 24_000, steps: 200 };
/** For a page that is served: as much as a browser shows without trouble. */
export const SERVED: TranscriptLimits = { text: 200_000, all: 2_000_000, steps: 5_000 };

const MOST_FILES = 100;

/** As much of a transcript as is shown; of a trial in which nothing was said or done there is no more. */
type ShownParts = Pick<Transcript, "texts" | "calls" | "activations"> &
  Partial<Pick<Transcript, "model" | "workspace">>;

/** A transcript turn by turn: what was said, what was called, and the moment a skill was reached for. */
export function pageTranscript(
  transcript: ShownParts,
  raw: string | undefined,
  limits: TranscriptLimits,
): PageTranscript {
  let room = limits.all;
  const cut = (text: string): CutText => {
    const kept = text.slice(0, Math.max(0, Math.min(limits.text, room)));
    room -= kept.length;
    return { text: kept, leftOff: text.length - kept.length };
  };
  const all = stepsOf(transcript);
  const steps = all.slice(0, limits.steps).map((step): PageStep => {
    if (step.type === "text") return { ...step, text: cut(step.text) };
    if (step.type === "activation") return step;
    const { input, result, ...call } = step;
    return { ...call, input: cut(inputText(input)), result: result === undefined ? undefined : cut(result) };
  });
  const files = (transcript.workspace?.files ?? []).filter(({ change }) => change !== "same").slice(0, MOST_FILES);
  return {
    model: transcript.model,
    steps,
    leftOff: all.length - steps.length,
    files: files.map(({ path, change, kind, bytes, text, before }) => {
      const after = change === "removed" ? "" : text;
      if (before === undefined || after === undefined)
        return { path, change, kind, bytes, text: text === undefined ? undefined : cut(text) };
      const diff = fileDiff(before, after, Math.max(0, Math.min(limits.text, room)));
      for (const { lines } of diff.hunks) for (const line of lines) room -= line.length;
      return { path, change, kind, bytes, diff };
    }),
    filesCut: transcript.workspace?.cut,
    raw: raw === undefined ? undefined : cut(raw),
  };
}

/** In the order of the turns; within a turn an examinee speaks, then acts, and an activation is told with the call that made it. */
function stepsOf({ texts, calls, activations }: ShownParts) {
  const steps = [
    ...texts.map((text) => ({ type: "text" as const, order: 0, ...text })),
    ...calls.map(({ id: _, ...call }) => ({ type: "call" as const, order: 1, ...call })),
    ...activations.map((activation) => ({ type: "activation" as const, order: 2, ...activation })),
  ];
  // A sub-agent works between the call that starts it and its result.
  const order = (step: (typeof steps)[number]) => step.order + (step.agent === undefined ? 0 : 3);
  return steps.sort((a, b) => a.turn - b.turn || order(a) - order(b)).map(({ order: _, ...step }) => step);
}

/** `command: ls` is easier to read than JSON, where the input is that plain. */
function inputText(input: unknown): string {
  if (typeof input === "string") return input;
  const members = typeof input === "object" && input !== null && !Array.isArray(input) ? Object.entries(input) : [];
  const isPlain =
    members.length > 0 && members.every(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return isPlain
    ? members.map(([name, value]) => `${name}: ${value}`).join("\n")
    : (JSON.stringify(input, null, 2) ?? "");
}
