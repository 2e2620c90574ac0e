import { addUsage, type EndEvent, type TrialEvent } from "../../model/index.ts";

/** What canary and control cost is owed until a trial carries it into the record, where budget and report find it. */
export class CanaryCosts {
  #ends: EndEvent[] = [];

  /** Notes the end of a trial that is in no record. */
  note(events: readonly TrialEvent[]): void {
    this.#ends.push(...events.filter((event) => event.type === "end"));
  }

  /** Adds what is owed to the end of a trial. A sum with an unknown part is unknown. */
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
  const { costUsd, ...rest } = end;
  const usage = addUsage(end.usage, other.usage);
  return {
    ...rest,
    usage,
    ...(costUsd !== undefined && other.costUsd !== undefined && { costUsd: costUsd + other.costUsd }),
    ...(other.costEstimated && { costEstimated: true }),
  };
}
