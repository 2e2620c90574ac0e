import {
  type AgentAdapter,
  denied,
  type Exit,
  nothingSaid,
  type SessionFacts,
  stoppedError,
  type TrialSetup,
  withAddress,
} from "../../../hosts/reading/index.ts";
import {
  type Activation,
  countedActivations,
  type EndEvent,
  type TrialError,
  type TrialEvent,
  type Usage,
} from "../../../transcripts/index.ts";
import { costOf, priceOf } from "../../models/prices.ts";

/** What of a trial decides how it ended. */
interface TrialSoFar {
  activations: Activation[];
  /** The model said something, or called a tool. */
  spoke: boolean;
  /** Skills that the host's permissions kept the model from, with its words. */
  denied: { skill: string; words: string }[];
}

/** The host's words for a call that its permissions forbid, and not for a skill that does not exist or is not for models. */
const DENIED =
  /permission rules?|rule which prevents|rejected permission|permission .{0,60}denied|denied by policy|requires (approval|permission)/i;

export function seenIn(events: readonly TrialEvent[]): TrialSoFar {
  const activations = events.filter((event) => event.type === "activation").map(({ type: _, ...activation }) => activation);
  return {
    activations,
    spoke: events.some((event) => event.type === "call" || (event.type === "text" && event.text.trim() !== "")),
    denied: events.flatMap((event, index) => {
      // What a call reached for follows its result at once.
      const before = events[index - 1];
      if (event.type !== "activation" || event.evidence !== "refused" || before?.type !== "result") return [];
      return DENIED.test(before.text ?? "") ? [{ skill: event.skill, words: before.text! }] : [];
    }),
  };
}

export function together(a: TrialSoFar, b: TrialSoFar): TrialSoFar {
  return { activations: [...a.activations, ...b.activations], spoke: a.spoke || b.spoke, denied: [...a.denied, ...b.denied] };
}

export function withinTurns(event: TrialEvent, maxTurns: number): boolean {
  return !("turn" in event) || event.turn <= maxTurns;
}

interface Ending {
  adapter: AgentAdapter;
  setup: Pick<TrialSetup, "model" | "endpoint">;
  decided(activations: readonly Activation[]): boolean;
}

/** What the CLI says about its end counts only where we did not end it. */
export function finished(request: Ending, exit: Exit, end: EndEvent, facts: SessionFacts, seen: TrialSoFar): EndEvent {
  const { error: own, how, ...told } = end;
  const last = betterReason(own, facts.error);
  const usage = end.usage ?? facts.usage;
  const common: Omit<EndEvent, "how" | "error"> = {
    ...told,
    usage,
    ...(end.costUsd === undefined && estimatedCost(request, usage)),
    listing: facts.listing,
    resources: exit.resources,
  };
  const failed = (error: TrialError): EndEvent => ({ ...common, how: "error", error: withAddress(error, request.setup.endpoint) });
  switch (exit.stopped) {
    case undefined: {
      const error = last ?? noAnswer(request.adapter, how, seen);
      return error === undefined ? { ...common, how } : failed(error);
    }
    case "decided":
      return { ...common, how: "stopped" };
    case "max_turns": {
      const error = noAnswer(request.adapter, "max_turns", seen);
      return error === undefined ? { ...common, how: "max_turns" } : failed(error);
    }
    default:
      if (exit.stopped !== "abort" && seen.activations.length > 0 && request.decided(seen.activations))
        return { ...common, how: "stopped" };
      return failed(stoppedError(request.adapter, exit.stopped, exit, last?.reason === "crash" ? undefined : last));
  }
}

/** A CLI that was ended, or gave up, without a word may have written down what the provider said. */
function betterReason(own: TrialError | undefined, written: TrialError | undefined): TrialError | undefined {
  return own === undefined || (own.reason !== "crash" && own.reason !== "unknown") ? own : (written ?? own);
}

/** All went well by the CLI's account, and yet it does not tell whether the model would have used a skill. */
function noAnswer(adapter: AgentAdapter, how: EndEvent["how"], { activations, spoke, denied: kept }: TrialSoFar): TrialError | undefined {
  if (how === "completed" && !spoke && !adapter.silent) return nothingSaid(adapter);
  const used = countedActivations(activations).map(({ skill }) => skill);
  const lost = kept.find(({ skill }) => !used.includes(skill));
  return lost === undefined ? undefined : denied(adapter, lost.skill, lost.words);
}

/** From the price table, where the CLI tells tokens but no dollars. */
function estimatedCost({ adapter, setup }: Ending, usage: Usage | undefined): { costUsd: number; costEstimated: true } | undefined {
  const costUsd = costOf(usage, priceOf(adapter.provider, setup.model));
  return costUsd === undefined ? undefined : { costUsd, costEstimated: true };
}
