import { addUsage, type EndEvent, type Resources, type TrialEvent } from "../../../model/index.ts";
import type { RunningTrial } from "./trial.ts";

type NextMessage = (said: string, answers: number) => Promise<string | undefined>;

export interface Turn {
  trial: RunningTrial;
  session(): string | undefined;
}

export interface Conversation {
  first: Turn;
  next: NextMessage;
  resume(session: string, prompt: string, turnsUsed: number): Promise<Turn>;
  /** Reported tokens are totals of the session, not of the message. */
  totals?: boolean;
}

/**
 * Turns several messages of one session into one trial: turns continue, costs add up, the last end counts. A session
 * that failed or ran out of turns is not resumed.
 */
export function converse({ first, next, resume, totals }: Conversation): RunningTrial {
  const turns = [first];
  return {
    events: told({
      first,
      next,
      totals,
      async resume(session, prompt, used) {
        const turn = await resume(session, prompt, used);
        turns.push(turn);
        return turn;
      },
    }),
    raw: () => turns.map(({ trial }) => trial.raw()).join(""),
    stop: async () => {
      for (const { trial } of turns) await trial.stop();
    },
  };
}

async function* told({ first, next, resume, totals }: Conversation): AsyncGenerator<TrialEvent> {
  const account = new Account(totals);
  let turn = first;
  for (let answers = 1; ; answers++) {
    const events: TrialEvent[] = [];
    for await (const event of turn.trial.events) events.push(event);
    const { fresh, end } = account.add(events);
    yield* fresh;
    if (end === undefined) return;
    const session = turn.session();
    const prompt = end.how === "completed" ? await next(lastText(fresh), answers) : undefined;
    if (prompt === undefined) {
      yield end;
      return;
    }
    if (session === undefined) {
      const message = "the CLI did not say which session to continue";
      yield { ...end, how: "error", error: { reason: "unparseable", message, retryable: false } };
      return;
    }
    turn = await resume(session, prompt, account.turns);
  }
}

export class Account {
  #totals: boolean;
  #events: TrialEvent[] = [];
  #end: EndEvent | undefined;

  constructor(totals = false) {
    this.#totals = totals;
  }

  get turns(): number {
    return this.#events.reduce((most, event) => ("turn" in event ? Math.max(most, event.turn) : most), 0);
  }

  add(events: readonly TrialEvent[]): { fresh: TrialEvent[]; end: EndEvent | undefined } {
    const end = events.at(-1);
    const fresh = this.#fresh(end?.type === "end" ? events.slice(0, -1) : events);
    this.#events.push(...fresh);
    if (end?.type !== "end") return { fresh, end: undefined };
    this.#end = this.#end === undefined ? end : together(this.#end, end, this.#totals);
    return { fresh, end: this.#end };
  }

  /** A session file may repeat earlier turns; keeps only new events, whose turns are already counted. */
  #fresh(events: readonly TrialEvent[]): TrialEvent[] {
    const before = this.#events;
    const repeats = before.length > 0 && before.every((event, index) => isSame(event, events[index]));
    if (repeats) return events.slice(before.length);
    const offset = this.turns;
    return events.map((event) => ("turn" in event ? { ...event, turn: event.turn + offset } : event));
  }
}

function isSame(a: TrialEvent, b: TrialEvent | undefined): boolean {
  if (b === undefined || a.type !== b.type) return false;
  if (a.type === "text" && b.type === "text") return a.text === b.text;
  if ((a.type === "call" && b.type === "call") || (a.type === "result" && b.type === "result")) return a.id === b.id;
  return a.type === "activation" && b.type === "activation" && a.skill === b.skill && a.turn === b.turn;
}

function lastText(events: readonly TrialEvent[]): string {
  const last = events.findLast((event) => event.type === "text" && event.agent === undefined);
  return last?.type === "text" ? last.text : "";
}

/** The listing is the first message's. Tokens and costs with an unknown part are unknown. */
function together(before: EndEvent, end: EndEvent, totals: boolean): EndEvent {
  const spent = totals
    ? { usage: end.usage }
    : {
        usage: before.usage && end.usage && addUsage(before.usage, end.usage),
        costUsd: before.costUsd === undefined || end.costUsd === undefined ? undefined : before.costUsd + end.costUsd,
      };
  return {
    ...end,
    ...spent,
    listing: before.listing ?? end.listing,
    resources: addResources(before.resources, end.resources),
  };
}

function addResources(a: Resources | undefined, b: Resources | undefined): Resources | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { peakMemoryBytes: Math.max(a.peakMemoryBytes, b.peakMemoryBytes), cpuMs: a.cpuMs + b.cpuMs };
}
