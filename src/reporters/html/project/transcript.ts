import type { Transcript } from "../../../model/index.ts";
import type { CutText, PageStep, PageTranscript } from "../page-data.ts";
import { fileDiff } from "./file-diff.ts";

/** Limits in characters per text, characters per transcript, and steps. */
export interface TranscriptLimits {
  text: number;
  all: number;
  steps: number;
}

export const IN_FILE: TranscriptLimits = { text: 3_000, all: 24_000, steps: 200 };
/** For a served page: as much as a browser displays well. */
export const SERVED: TranscriptLimits = { text: 200_000, all: 2_000_000, steps: 5_000 };

const MOST_FILES = 100;

type ShownParts = Pick<Transcript, "texts" | "calls" | "activations"> &
  Partial<Pick<Transcript, "model" | "workspace">>;

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

/** Sorted by turn. Within a turn the examinee speaks, then acts; an activation appears with the call that caused it. */
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

/** `command: ls` reads better than JSON if the input is that simple. */
function inputText(input: unknown): string {
  if (typeof input === "string") return input;
  const members = typeof input === "object" && input !== null && !Array.isArray(input) ? Object.entries(input) : [];
  const isPlain =
    members.length > 0 && members.every(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return isPlain
    ? members.map(([name, value]) => `${name}: ${value}`).join("\n")
    : (JSON.stringify(input, null, 2) ?? "");
}
