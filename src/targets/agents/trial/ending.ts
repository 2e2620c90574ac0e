import type { AgentAdapter, EventReader, Exit, SessionFacts, TrialSetup } from "../../../hosts/index.ts";
import {
  denied,
  type KeptFrom,
  notAsked,
  nothingMoreSaid,
  nothingSaid,
  stoppedError,
  withAddress,
} from "../../../hosts/reading/index.ts";
import {
  type Activation,
  addUsage,
  countedActivations,
  type EndEvent,
  type TrialError,
  type TrialEvent,
  type Usage,
} from "../../../model/index.ts";
import { costOf, priceOf } from "../../models/prices.ts";

interface TrialSoFar {
  activations: Activation[];
  /** The model said something or called a tool; and did not stop at a tool's result. */
  spoke: boolean;
  hadTheLastWord: boolean;
  denied: KeptFrom[];
}

/** How hosts word a call that permissions forbid, as opposed to a skill that does not exist or is not for models. */
const DENIED =
  /permission rules?|rule which prevents|rejected permission|permission .{0,60}denied|denied by policy|requires (approval|permission)/i;

export function seenIn(events: readonly TrialEvent[]): TrialSoFar {
  const activations = events
    .filter((event) => event.type === "activation")
    .map(({ type: _, ...activation }) => activation);
  return {
    activations,
    spoke: events.some((event) => event.type === "call" || isText(event)),
    // A sub-agent may work on while its agent waits.
    hadTheLastWord:
      events.findLast((event) => !("agent" in event && event.agent) && (isText(event) || event.type === "result"))
        ?.type !== "result",
    denied: events.flatMap((event, index) => {
      // What a call reached for follows its result at once.
      const before = events[index - 1];
      if (event.type !== "activation" || event.evidence !== "refused" || before?.type !== "result") return [];
      return before.text !== undefined && DENIED.test(before.text) ? [{ skill: event.skill, words: before.text }] : [];
    }),
  };
}

function isText(event: TrialEvent): boolean {
  return event.type === "text" && event.text.trim() !== "";
}

export function withinTurns(event: TrialEvent, maxTurns: number): boolean {
  return !("turn" in event) || event.turn <= maxTurns;
}

interface Ending {
  adapter: AgentAdapter;
  setup: Pick<TrialSetup, "model" | "endpoint"> & { prompt?: string };
  decided(activations: readonly Activation[]): boolean;
}

/** What the CLI says about its end only counts if we did not end it. */
export function finished(
  request: Ending,
  exit: Exit,
  { end, keptFrom = [] }: Pick<ReturnType<EventReader["end"]>, "end" | "keptFrom">,
  facts: SessionFacts,
  so: TrialSoFar,
): EndEvent {
  const seen = { ...so, denied: [...keptFrom, ...so.denied] };
  const { error: ownError, how, ...told } = end;
  const last = betterReason(ownError, facts.error);
  const own = end.usage ?? facts.usage;
  const usage = own && addUsage(own, facts.agentsUsage);
  const common: Omit<EndEvent, "how" | "error"> = {
    ...told,
    usage,
    ...(end.costUsd === undefined
      ? estimatedCost(request, usage)
      : { costUsd: end.costUsd + (facts.agentsCostUsd ?? 0) }),
    listing: facts.listing,
    resources: exit.resources,
  };
  const failed = (error: TrialError): EndEvent => ({
    ...common,
    how: "error",
    error: withAddress(error, request.setup.endpoint),
  });
  const unheard = replacedPrompt(request, facts);
  if (unheard !== undefined && exit.stopped !== "abort" && (last === undefined || exit.stopped !== undefined))
    return failed(unheard);
  switch (exit.stopped) {
    case undefined: {
      const error = last ?? (how === "completed" ? facts.spoilt : undefined) ?? noAnswer(request.adapter, how, seen);
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
      return failed(
        stoppedError(request.adapter, {
          reason: exit.stopped,
          exit,
          last: last?.reason === "crash" ? undefined : last,
        }),
      );
  }
}

/** Whether a slash command of the CLI took the prompt's place. */
function replacedPrompt({ adapter, setup }: Ending, { spoilt, heard }: SessionFacts): TrialError | undefined {
  if (spoilt?.reason === "not_asked") return spoilt;
  const prompt = setup.prompt?.trim() ?? "";
  return prompt.startsWith("/") && heard !== undefined && !heard.includes(prompt) ? notAsked(adapter, "") : undefined;
}

/** A CLI that ended without a reason may have written down what the provider said. */
function betterReason(own: TrialError | undefined, written: TrialError | undefined): TrialError | undefined {
  return own === undefined || (own.reason !== "crash" && own.reason !== "unknown") ? own : (written ?? own);
}

/** The CLI reports success, but it remains unknown whether the model would have used a skill. */
function noAnswer(adapter: AgentAdapter, how: EndEvent["how"], seen: TrialSoFar): TrialError | undefined {
  const { activations, spoke, hadTheLastWord, denied: kept } = seen;
  if (how === "completed" && !adapter.silent) {
    if (!spoke) return nothingSaid(adapter);
    if (!hadTheLastWord) return nothingMoreSaid(adapter);
  }
  const used = countedActivations(activations).map(({ skill }) => skill);
  const lost = kept.find(({ skill }) => (skill === undefined ? used.length === 0 : !used.includes(skill)));
  return lost === undefined ? undefined : denied(adapter, lost.skill, lost.words);
}

function estimatedCost(
  { adapter, setup }: Ending,
  usage: Usage | undefined,
): { costUsd: number; costEstimated: true } | undefined {
  const costUsd = costOf(usage, priceOf(adapter.provider, setup.model));
  return costUsd === undefined ? undefined : { costUsd, costEstimated: true };
}
