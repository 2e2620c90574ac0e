import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fingerprint, keepIfPossible } from "../../base/index.ts";
import type { Activation, Identity, TrialError, TrialEvent } from "../../model/index.ts";

/** The skill that must load, alone in its workspace, and the prompt that must load nothing: they test the instrument, not the model. */
export const CANARY = {
  name: "exam-canary",
  description: "Says the word of the day. Use whenever the user asks for the exam canary.",
  body: "Answer with the single word: feather. Nothing else needs to be done, and no file needs to be read or written.",
  prompt: 'Use the skill "exam-canary" now: I am asking for the exam canary.',
};
const CONTROL_PROMPT = "Reply with the single word ready. Use no tool and no skill for it.";

const TRIES = 3;
const HOLDS_MS = 24 * 3_600_000;

/** Puts a prompt to the cell with the canary skill alone. `kept`: the file with the CLI's raw output, where it could be written. */
export type CanaryAsk = (prompt: string) => Promise<{ events: TrialEvent[]; kept: string | undefined }>;

/** Undefined when the cell can be trusted; else why not. A pass holds for a day under the target's whole identity. */
export async function checkCell(identity: Identity, cache: string, ask: CanaryAsk): Promise<TrialError | undefined> {
  const note = join(cache, "canary", `${fingerprint(identity)}.json`);
  if (await passedLately(note)) return undefined;
  const failure =
    (await tried(ask, CANARY.prompt, loads, "the canary, a skill that the prompt asks for by name, was not loaded")) ??
    (await tried(
      ask,
      CONTROL_PROMPT,
      (activations) => !loads(activations),
      "the control, a prompt that asks for no skill, loaded one",
    ));
  if (failure !== undefined) return failure;
  keepIfPossible(note, JSON.stringify({ passedAt: new Date().toISOString(), identity }));
  return undefined;
}

async function tried(
  ask: CanaryAsk,
  prompt: string,
  right: (activations: Activation[]) => boolean,
  wrong: string,
): Promise<TrialError | undefined> {
  let failure: TrialError | undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { events, kept } = await ask(prompt);
    const end = events.at(-1);
    if (end?.type === "end" && end.error !== undefined) {
      failure = end.error;
      // A second wait as long as the first one is enough.
      if (!failure.retryable || failure.reason === "interrupted" || (failure.reason === "timeout" && attempt > 0))
        return failure;
      continue;
    }
    if (right(events.filter((event) => event.type === "activation"))) return undefined;
    failure = {
      reason: "invalid_cell",
      message: `${wrong}, ${TRIES} times: its numbers would mean nothing.${kept === undefined ? "" : ` Look at ${kept}`}`,
      retryable: false,
    };
  }
  return failure;
}

function loads(activations: Activation[]): boolean {
  return activations.some(
    ({ skill, evidence }) => skill === CANARY.name && evidence !== "refused" && evidence !== "mentioned",
  );
}

async function passedLately(note: string): Promise<boolean> {
  try {
    const { passedAt } = JSON.parse(await readFile(note, "utf8")) as { passedAt: string };
    return Date.now() - Date.parse(passedAt) < HOLDS_MS;
  } catch {
    return false;
  }
}
