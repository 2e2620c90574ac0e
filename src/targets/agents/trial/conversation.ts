import { addUsage, type EndEvent, type Resources, type TrialEvent } from "../../../transcripts/index.ts";
import type { Trial } from "./trial.ts";

/** What is said after an answer; undefined: nothing more. */
type NextMessage = (said: string, answers: number) => Promise<string | undefined>;

/** One message put to the CLI. `session` is known once its events have been read. */
export interface Turn {
  trial: Trial;
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
export function converse({ first, next, resume }: Conversation): Trial {
  const turns = [first];
  const goOn: Conversation["resume"] = async (session, prompt, used) => {
    const turn = await resume(session, prompt, used);
    turns.push(turn);
    return turn;
  };
  return {
    events: told({ first, next, resume: goOn }),
    raw: () => turns.map(({ trial }) => trial.raw()).join(""),
    stop: async () => {
      for (const { trial } of turns) await trial.stop();
    },
  };
}

async function* told({ first, next, resume }: Conversation): AsyncGenerator<TrialEvent> {
  const soFar = new Told();
  let turn = first;
  for (let answers = 1; ; answers++) {
    const events: TrialEvent[] = [];
    for await (const event of turn.trial.events) events.push(event);
    const fresh = soFar.add(events);
    yield* fresh;
    const whole = soFar.end;
    if (whole === undefined) return;
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
    turn = await resume(session, prompt, soFar.turns);
  }
}

/** The messages of one session so far, each read by itself, as one trial. */
export class Told {
  turns = 0;
  end: EndEvent | undefined;

  /** The events of the next message, its end left out, on the turns that follow. */
  add(events: readonly TrialEvent[]): TrialEvent[] {
    const end = events.at(-1);
    const before = this.turns;
    const fresh = (end?.type === "end" ? events.slice(0, -1) : events).map((event) =>
      "turn" in event ? { ...event, turn: event.turn + before } : event,
    );
    this.turns = fresh.reduce((most, event) => ("turn" in event ? Math.max(most, event.turn) : most), before);
    this.end = end?.type === "end" ? (this.end === undefined ? end : together(this.end, end)) : undefined;
    return fresh;
  }
}

function lastText(events: readonly TrialEvent[]): string {
  const last = events.findLast((event) => event.type === "text" && event.agent === undefined);
  return last?.type === "text" ? last.text : "";
}

/** The listing is the first one's: what the model was shown when it began. */
function together(before: EndEvent, end: EndEvent): EndEvent {
  const costs = [before.costUsd, end.costUsd].filter((cost) => cost !== undefined);
  return {
    ...end,
    usage: addUsage(before.usage, end.usage),
    costUsd: costs.length < 2 ? undefined : costs.reduce((sum, cost) => sum + cost, 0),
    costEstimated: before.costEstimated || end.costEstimated,
    listing: before.listing ?? end.listing,
    resources: mostOf(before.resources, end.resources),
  };
}

/** One process after the other. */
function mostOf(a: Resources | undefined, b: Resources | undefined): Resources | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { peakMemoryBytes: Math.max(a.peakMemoryBytes, b.peakMemoryBytes), cpuMs: a.cpuMs + b.cpuMs };
}
