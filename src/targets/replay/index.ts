import { UsageError } from "../../base/index.ts";
import { openRecord, type RecordPlace, readHeader, readRecord, readTranscript } from "../../exam/record/index.ts";
import type { EndEvent, HeaderLine, Transcript, TrialEvent, TrialLine } from "../../model/index.ts";
import type { Answer, Asking, Target } from "../target.ts";

/** `replay:RUN` or `replay:RUN@TARGET`: the answers of a stored run, looked up by ask and run number. */
export async function replayTarget(name: string, root: string): Promise<Target> {
  const at = name.indexOf("@");
  const place = await openRecord(root, (at < 0 ? name : name.slice(0, at)) || "latest");
  const header = await readHeader(place);
  const recorded = pickTarget(header, at < 0 ? undefined : name.slice(at + 1));
  return {
    id: `replay:${name}`,
    kind: "replay",
    predicted: recorded.predicted,
    answers: { trigger: true, case: true },
    expectedCostUsd: 0,
    note: `the answers that ${recorded.id} gave in run ${header.run}`,
    identify: async () => ({
      ...recorded.identity,
      options: { ...recorded.identity.options, replay: header.run, target: recorded.id },
    }),
    async open() {
      const trials = await readTrials(place, recorded.id);
      return {
        ask: async (ask, asking) => answer(trials.get(`${ask.key} ${asking.run}`), place, asking),
        close: async () => {},
      };
    },
  };
}

function pickTarget({ run, targets }: HeaderLine, wanted: string | undefined): HeaderLine["targets"][number] {
  const found =
    wanted === undefined
      ? targets.length === 1
        ? targets[0]
        : undefined
      : targets.find((target) => target.id === wanted);
  if (found !== undefined) return found;
  const ids = targets.map((target) => target.id).join(", ");
  throw new UsageError(
    wanted === undefined ? `Run ${run} has several targets: ${ids}` : `Run ${run} has no target \`${wanted}\``,
    wanted === undefined ? `Choose one: replay:${run}@${targets[0]?.id ?? "TARGET"}.` : `It has ${ids}.`,
  );
}

/** Only what is needed of a trial's line: a run can have 200,000. */
type StoredTrial = Pick<TrialLine, "activations" | "how" | "error" | "listing" | "prediction" | "transcript">;

function stored({ activations, how, error, listing, prediction, transcript }: TrialLine): StoredTrial {
  return { activations, how, error, listing, prediction, transcript };
}

/** The last line of a trial counts: a resumed run may have repeated failed trials. */
async function readTrials(place: RecordPlace, target: string): Promise<Map<string, StoredTrial>> {
  const trials = new Map<string, StoredTrial>();
  for await (const line of readRecord(place.file)) {
    if (line.type === "trial" && line.target === target) trials.set(`${line.ask} ${line.run}`, stored(line));
  }
  return trials;
}

async function answer(trial: StoredTrial | undefined, place: RecordPlace, asking: Asking): Promise<Answer> {
  const dispose = async () => {};
  if (trial === undefined) {
    const error = { reason: "unknown" as const, message: `Run ${place.run} has no answer to this`, retryable: false };
    return { events: [{ type: "end", how: "error", error, costUsd: 0 }], dispose };
  }
  const transcript = trial.transcript && (await readTranscript(place.dir, trial.transcript));
  return { events: replayEvents(trial, transcript, asking), dispose };
}

function replayEvents(trial: StoredTrial, transcript: Transcript | undefined, asking: Asking): TrialEvent[] {
  const events: { turn: number; event: TrialEvent }[] = [];
  for (const call of transcript?.calls ?? []) {
    const { ok, result, ...rest } = call;
    events.push({ turn: call.turn, event: { type: "call", ...rest } });
    if (ok !== undefined) events.push({ turn: call.turn, event: { type: "result", id: call.id, ok, text: result } });
  }
  const seen: TrialLine["activations"] = [];
  // A trial that was stopped early, because its questions were decided, says nothing about what would have come after.
  let how: EndEvent["how"] = trial.how === "stopped" ? "error" : trial.how;
  for (const activation of trial.activations) {
    seen.push(activation);
    events.push({ turn: activation.turn, event: { type: "activation", ...activation } });
    if (trial.how !== "error" && asking.decided(seen)) {
      how = "stopped";
      break;
    }
  }
  for (const text of transcript?.texts ?? []) events.push({ turn: text.turn, event: { type: "text", ...text } });
  const ordered = events.sort((a, b) => a.turn - b.turn).map(({ event }) => event);
  return [
    ...(trial.prediction ? [{ type: "prediction" as const, prediction: trial.prediction }] : []),
    ...ordered,
    ending(trial, transcript, how),
  ];
}

const STOPPED_EARLY = {
  reason: "unknown" as const,
  message: "The stored trial was stopped early, for other questions",
  retryable: false,
};

function ending(trial: StoredTrial, transcript: Transcript | undefined, how: EndEvent["how"]): EndEvent {
  const error = trial.error ?? (how === "error" ? STOPPED_EARLY : undefined);
  return {
    type: "end",
    how,
    costUsd: 0,
    error: error && { ...error, retryable: false },
    listing: trial.listing,
    model: transcript?.model,
  };
}
