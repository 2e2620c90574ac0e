import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMask, fingerprint, keepIfPossible } from "../../base/index.ts";
import { StagedSkills } from "../../hosts/reading/index.ts";
import {
  type Activation,
  addUsage,
  type EndEvent,
  type Identity,
  type TrialError,
  type TrialEvent,
} from "../../model/index.ts";
import type { Asking } from "../target.ts";
import { startMessage } from "./ask-cell.ts";
import type { Cell } from "./cell.ts";
import { picked } from "./process/environment.ts";
import { createWorkspace } from "./workspace/workspace.ts";

/**
 * Must load, alone in its workspace. Like the control prompt, which must load nothing, it tests the instrument, not
 * the model.
 */
export const CANARY = {
  name: "exam-canary",
  description: "Says the word of the day. Use whenever the user asks for the exam canary.",
  body: "Answer with the single word: feather. Nothing else needs to be done, and no file needs to be read or written.",
  prompt: 'Use the skill "exam-canary" now: I am asking for the exam canary.',
};
const CONTROL_PROMPT = "Reply with the single word ready. Use no tool and no skill for it.";

const TRIES = 3;
const HOLDS_MS = 24 * 3_600_000;

export type CanaryAsk = (prompt: string) => Promise<{ events: TrialEvent[]; kept: string | undefined }>;

/** Returns why the cell cannot be trusted. A pass holds for a day, for exactly this identity. */
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

export async function askCanary(
  cell: Cell,
  prompt: string,
  limits: Pick<Asking, "signal" | "timeoutMs">,
): Promise<{ events: TrialEvent[]; kept: string | undefined }> {
  const { skillsDir, naming, id } = cell.adapter;
  const content = `---\nname: ${CANARY.name}\ndescription: ${CANARY.description}\n---\n\n${CANARY.body}\n`;
  const workspace = await createWorkspace({ skills: [], skillsDir, files: [], keep: false });
  const dir = join(workspace.project, ...skillsDir.split("/"), CANARY.name);
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "SKILL.md"), content);
  workspace.staged = new StagedSkills(
    workspace.project,
    [{ ...CANARY, id: CANARY.name, folder: CANARY.name, dir, file: join(dir, "SKILL.md") }],
    { naming },
  );
  const asking: Asking = {
    run: 1,
    ...limits,
    decided: (activations) => activations.some(({ evidence }) => evidence !== "refused"),
  };
  try {
    const trial = await startMessage(cell, {
      workspace,
      ask: { kind: "trigger", prompt, messages: [], limits: {} },
      asking,
    });
    const events: TrialEvent[] = [];
    for await (const event of trial.events) events.push(event);
    const file = join(cell.cache, "canary", `${id}-last.jsonl`);
    const mask = createMask([...(cell.login?.secrets ?? []), ...Object.values(picked(cell.env, cell.adapter.keys))]);
    return { events, kept: keepIfPossible(file, mask(trial.raw())) };
  } finally {
    await workspace.dispose();
  }
}

/** Adds the cost of canary and control to the next recorded trial, where budget and report find it. */
export class CanaryCosts {
  #ends: EndEvent[] = [];

  note(events: readonly TrialEvent[]): void {
    this.#ends.push(...events.filter((event) => event.type === "end"));
  }

  /** A sum with an unknown part is unknown. */
  settle(end: EndEvent): EndEvent {
    const owed = this.#ends;
    this.#ends = [];
    return owed.reduce(add, end);
  }

  async *settled(events: AsyncIterable<TrialEvent> | Iterable<TrialEvent>): AsyncGenerator<TrialEvent> {
    for await (const event of events) yield event.type === "end" ? this.settle(event) : event;
  }
}

function add(end: EndEvent, other: EndEvent): EndEvent {
  return {
    ...end,
    usage: addUsage(end.usage, other.usage),
    costUsd: end.costUsd === undefined || other.costUsd === undefined ? undefined : end.costUsd + other.costUsd,
    costEstimated: other.costEstimated || end.costEstimated,
  };
}
