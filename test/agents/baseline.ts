import { startLoopback } from "../../src/loopback/index.ts";
import type { EndEvent, TrialEvent } from "../../src/model/index.ts";
import type { Check } from "./checks.ts";
import { targetOf } from "./harness.ts";

const WANTED = "alpha is not listed, beta is; a load of alpha: none, completed";

/** A case as --baseline asks it, without its skill: the model is not told of it, and a load of it all the same is none. */
export const withoutItsSkill: Check = {
  name: "a case without its skill",
  async run(dialect, bench) {
    const server = await startLoopback({
      it: { steps: [{ calls: [dialect.load("alpha")] }, { text: "I have no such skill." }] },
    });
    try {
      const target = await targetOf(dialect, bench, `${server.url}/it/1${dialect.base}`, {
        canary: false,
        sandbox: "off",
      });
      const sitting = await target.open(bench.library);
      const variant = { label: "without the skill" };
      const ask = {
        key: "base",
        kind: "case" as const,
        skill: "alpha",
        variant,
        prompt: "Help.",
        files: [],
        messages: [],
        library: "",
        limits: {},
      };
      const answer = await sitting.ask(ask, { run: 1, signal: AbortSignal.timeout(90_000), decided: () => false });
      const events: TrialEvent[] = [];
      for await (const event of answer.events) events.push(event);
      await sitting.close();
      const end = events.at(-1) as EndEvent;
      const first = JSON.stringify(server.requests[0]?.body);
      const listed = (words: string) => (first.includes(words) ? "is" : "is not");
      const fired = events.flatMap((event) =>
        event.type === "activation" ? [`${event.skill} ${event.evidence}`] : [],
      );
      const said = `alpha ${listed("Draws alpha charts from CSV files")} listed, beta ${listed("Formats beta invoices")}; a load of alpha: ${fired.join(", ") || "none"}, ${end.error?.reason ?? end.how}`;
      return { right: said === WANTED, said, wanted: WANTED };
    } finally {
      await server.close();
    }
  },
};
