import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLoopback } from "../../src/loopback/index.ts";
import type { TrialEvent } from "../../src/model/index.ts";
import { resolveTarget } from "../../src/targets/index.ts";
import type { Check } from "./checks.ts";
import { environment } from "./harness.ts";

/** The real CLI's first request, captured and then put to the model with a query, without the CLI. */
export const firstMove: Check = {
  name: "its first move, asked without it",
  async run(dialect, bench) {
    const root = mkdtempSync(join(tmpdir(), "proctor-first-move-"));
    const steps = [{ text: "Let me see.", calls: [dialect.load("alpha"), dialect.load("alph")] }];
    const server = await startLoopback({ it: { steps } });
    try {
      const settings = { endpoint: `${server.url}/it/1${dialect.base}` };
      const target = await resolveTarget(`firstmove:${dialect.id}:${dialect.model}`, {
        cwd: root,
        env: environment(dialect, bench),
        settings,
      });
      const sitting = await target.open(bench.library);
      const prompt = 'An alpha chart of "sales", please.\nAnd \\quickly.';
      const ask = { key: "first", kind: "trigger" as const, prompt, files: [], messages: [], library: "", limits: {} };
      const answer = await sitting.ask(ask, { run: 1, signal: AbortSignal.timeout(30_000), decided: () => false });
      const events: TrialEvent[] = [];
      for await (const event of answer.events) events.push(event);
      const [request] = server.requests;
      const delivered =
        JSON.stringify(request?.body).includes(JSON.stringify(prompt).slice(1, -1)) && server.requests.length === 1;
      const reached = events.flatMap((event) =>
        event.type === "activation" ? [`${event.skill} ${event.evidence}, turn ${event.turn}`] : [],
      );
      const said = [delivered ? "one request with the query" : "the query was not delivered", ...reached].join("; ");
      const wanted = "one request with the query; alpha called, turn 1";
      return { right: said === wanted, said, wanted };
    } finally {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    }
  },
};
