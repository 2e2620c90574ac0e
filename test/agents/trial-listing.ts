import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLoopback } from "../../src/loopback/index.ts";
import type { EndEvent } from "../../src/model/index.ts";
import type { Check } from "./checks.ts";
import { targetOf } from "./harness.ts";
import { manySkills } from "./library.ts";

/** A trial that is ended as early as can be, so that the CLI has hardly time to write down what it sent. */
export const trialListing: Check = {
  name: "the listing of 120 skills, from a trial",
  async run(dialect, bench) {
    const root = mkdtempSync(join(tmpdir(), "proctor-listing-"));
    const server = await startLoopback({ it: { steps: [{ calls: [dialect.load("sk003")] }, { fault: "hang" }] } });
    try {
      const library = await manySkills(root);
      const model = dialect.id === "claude" ? "claude-sonnet-4-5" : dialect.model;
      const target = await targetOf({ ...dialect, model }, bench, `${server.url}/it/1${dialect.base}`);
      const sitting = await target.open(library);
      const ask = {
        key: "listing",
        kind: "trigger" as const,
        prompt: "Help.",
        files: [],
        messages: [],
        library: "",
        limits: {},
      };
      const decided = (activations: readonly unknown[]) => activations.length > 0;
      const answer = await sitting.ask(ask, { run: 1, signal: new AbortController().signal, decided });
      let end: EndEvent | undefined;
      for await (const event of answer.events) if (event.type === "end") end = event;
      await answer.dispose();
      await sitting.close();
      const of = (shown: string) => end?.listing?.filter((entry) => entry.shown === shown).length ?? 0;
      const counts = ["whole", "cut", "bare", "absent"].flatMap((shown) =>
        of(shown) === 0 ? [] : [`${of(shown)} ${shown}`],
      );
      const said = `${counts.length === 0 ? "no listing" : counts.join(", ")} (${end?.error?.message ?? end?.how})`;
      const wanted = `${dialect.many} (stopped)`;
      return { right: said === wanted, said, wanted };
    } finally {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    }
  },
};
