import { fingerprint } from "../../base/index.ts";
import type { AgentAdapter } from "../../hosts/index.ts";
import { failedEnd } from "../../hosts/reading/index.ts";
import type { EndEvent, Library } from "../../model/index.ts";
import { withEarlier } from "../agents/ask-cell.ts";
import { costOf, type Price } from "../models/prices.ts";
import type { Answer, OpenTarget } from "../target.ts";
import { type Capture, stagedIn } from "./capture.ts";
import { eventsOf } from "./events.ts";
import type { Route } from "./route.ts";
import { type Sent, send } from "./send.ts";

export interface Examinee {
  adapter: AgentAdapter;
  route: Route;
  capture: Capture;
  library: Library;
  price: Price | undefined;
}

export function openFirstMove({ adapter, route, capture, library, price }: Examinee): OpenTarget {
  const staged = stagedIn(capture, library, adapter);
  const { listing } = adapter.shown(capture.body, staged);
  const absent = new Set(listing.filter(({ shown }) => shown === "absent").map(({ skill }) => skill));
  const unlisted = new Set(
    library.skills.filter(({ id, modelInvocable }) => !modelInvocable && absent.has(id)).map(({ id }) => id),
  );
  const about = JSON.stringify({
    type: "proctor.first-move",
    captured: fingerprint(capture.body),
    capturedAt: capture.capturedAt,
  });
  let first: Promise<unknown> | undefined;

  return {
    async ask(ask, { signal }) {
      const asked = () => send({ capture, route, query: withEarlier(ask), signal });
      const sent = first === undefined ? asked() : after(first, signal).then(asked);
      first ??= sent.catch(() => {});
      return answerOf(await sent);
    },
    close: async () => {},
  };

  function answerOf(sent: Sent): Answer {
    const common = { raw: () => `${about}\n${sent.raw}\n`, dispose: async () => {} };
    if (sent.status === "error") return { ...common, events: [{ ...failedEnd(sent.error), listing }] };
    const { usage, model } = sent.move;
    const costUsd = costOf(usage, price);
    const end: EndEvent = {
      type: "end",
      how: "completed",
      usage,
      costUsd,
      costEstimated: costUsd === undefined ? undefined : true,
      listing,
      model,
    };
    return { ...common, events: [...eventsOf(adapter, sent.move, { staged, unlisted }), end] };
  }
}

/** The first question writes the provider's prompt cache; waiting for it makes the others ten times cheaper. */
async function after(first: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await Promise.race([first, new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }))]);
}
