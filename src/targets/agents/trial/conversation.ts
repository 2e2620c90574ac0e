import { addUsage, type EndEvent, type TrialEvent } from "../../../transcripts/index.ts";
import type { RunningTrial } from "./trial.ts";

/** What is said after an answer; undefined: nothing more. */
type NextMessage = (said: string, answers: number) => Promise<string | undefined>;

/** One message put to the CLI. `session` is known once its events have been read. */
export interface Turn {
  trial: RunningTrial;
  session(): string | undefined;
}

/** The first message as it was put, what comes after each answer, and how a session is gone on with. */
export interface Conversation {
  first: Turn;
  next: NextMessage;
  resume(session: string, prompt: string, turnsUsed: number): Promise<Turn>;
}

/**
 * Several messages to one session, told as one trial: turns are counted on, costs added up, and the last end is the end. A session that
 * failed, or ran out of turns, is not gone on with.
 */
export function converse({ first, next, resume }: Conversation): RunningTrial {
  const turns = [first];
  return {
    events: told(first, next, async (session, prompt, used) => {
      const turn = await resume(session, prompt, used);
      turns.push(turn);
      return turn;
    }),
    raw: () => turns.map(({ trial }) => trial.raw()).join(""),
    stop: async () => {
      for (const { trial } of turns) await trial.stop();
    },
  };
}

async function* told(first: Turn, next: NextMessage, resume: Conversation["resume"]): AsyncGenerator<TrialEvent> {
  const before: TrialEvent[] = [];
  let spent: Partial<EndEvent> = {};
  let turn = first;
  for (let answers = 1; ; answers++) {
    const events: TrialEvent[] = [];
    for await (const event of turn.trial.events) events.push(event);
    const end = events.pop();
    const fresh = newEvents(events, before);
    yield* fresh;
    before.push(...fresh);
    if (end?.type !== "end") return;
    const whole = together(spent, end);
    const session = turn.session();
    const prompt = whole.how === "completed" ? await next(lastText(fresh), answers) : undefined;
    if (prompt === undefined) {
      yield whole;
      return;
    }
    if (session === undefined) {
      const message = "the CLI did not say which session could be gone on with";
      yield { ...whole, how: "error", error: { reason: "unparseable", message, retryable: false } };
      return;
    }
    spent = whole;
    turn = await resume(session, prompt, lastTurn(before));
  }
}

/** A session file may tell all of the session once more: then only what is new is told, and its turns are counted already. */
function newEvents(events: TrialEvent[], before: readonly TrialEvent[]): TrialEvent[] {
  const repeats = before.length > 0 && before.every((event, index) => isSame(event, events[index]));
  if (repeats) return events.slice(before.length);
  const offset = lastTurn(before);
  return events.map((event) => ("turn" in event ? { ...event, turn: event.turn + offset } : event));
}

function isSame(a: TrialEvent, b: TrialEvent | undefined): boolean {
  if (b === undefined || a.type !== b.type) return false;
  if (a.type === "text" && b.type === "text") return a.text === b.text;
  if ((a.type === "call" && b.type === "call") || (a.type === "result" && b.type === "result")) return a.id === b.id;
  return a.type === "activation" && b.type === "activation" && a.skill === b.skill && a.turn === b.turn;
}

function lastTurn(events: readonly TrialEvent[]): number {
  return events.reduce((most, event) => ("turn" in event ? Math.max(most, event.turn) : most), 0);
}

function lastText(events: readonly TrialEvent[]): string {
  const last = events.findLast((event) => event.type === "text" && event.agent === undefined);
  return last?.type === "text" ? last.text : "";
}

/** The listing is the first one's: what the model was shown when it began. */
function together(spent: Partial<EndEvent>, end: EndEvent): EndEvent {
  const costs = [spent.costUsd, end.costUsd].filter((cost) => cost !== undefined);
  const first = spent.type === undefined;
  return {
    ...end,
    usage: addUsage(spent.usage, end.usage),
    costUsd: !first && costs.length < 2 ? undefined : costs.reduce<number>((sum, cost) => sum + cost, 0) || end.costUsd,
    listing: spent.listing ?? end.listing,
  };
}
