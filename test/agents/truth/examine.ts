import { startLoopback } from "../../../src/loopback/index.ts";
import { countedActivations, type EndEvent, type TrialEvent } from "../../../src/model/index.ts";
import type { Dialect } from "../dialects.ts";
import { type Bench, targetOf } from "../harness.ts";
import { MARKS, QUOTED } from "./library.ts";
import type { TruthScenario } from "./scenarios.ts";

export interface Verdict {
  right: boolean;
  /** What Proctor said, and what the model's server saw. */
  said: string;
  wanted: string;
  /** The server's requests could confirm what is true. */
  confirmed: boolean;
}

/** Puts one scenario to the real CLI: what Proctor says of it, and what the model's server saw, must both be what the script fixes. */
export async function examine(d: Dialect, one: TruthScenario, bench: Bench, run: string): Promise<Verdict> {
  let workspace = "";
  const server = await startLoopback({
    it: {
      // Built when the first request comes: by then the workspace is known.
      get steps() {
        return one.script(workspace).steps;
      },
      get rules() {
        return one.script(workspace).rules ?? [];
      },
    },
  });
  try {
    const dialect = { ...d, model: one.model ?? d.model };
    const target = await targetOf(dialect, bench, `${server.url}/it/${run}${d.base}`);
    const sitting = await target.open(bench.library);
    const ask = {
      key: one.name,
      kind: "trigger" as const,
      prompt: one.prompt ?? "Please help me with sales.csv.",
      files: [
        { path: "sales.csv", content: "a,b\n1,2\n" },
        { path: "README.md", content: `# Read me\n\nOne of our skills says:\n\n${QUOTED}\nThat is all.\n` },
      ],
      messages: [],
      library: bench.library.fingerprint,
      limits: { timeoutSeconds: (one.timeout ?? (one.stop ? 30 : 60)) * (d.patience ?? 1) },
    };
    const decided = (activations: Parameters<typeof countedActivations>[0]) =>
      one.stop === true && countedActivations(activations).length > 0;
    const answer = await sitting.ask(ask, { run: 1, signal: new AbortController().signal, decided });
    workspace = answer.workspace ?? "";
    const events: TrialEvent[] = [];
    for await (const event of answer.events) events.push(event);
    await answer.dispose();
    await sitting.close();
    const requests = JSON.stringify(server.requests.map(({ body }) => body));
    const seen = Object.keys(MARKS).filter((skill) => requests.includes(MARKS[skill]!));
    return compare(one, events, seen);
  } finally {
    await server.close();
  }
}

function compare(one: TruthScenario, events: TrialEvent[], seen: string[]): Verdict {
  const end = events.at(-1) as EndEvent;
  const counted = countedActivations(events.filter((event) => event.type === "activation"));
  const fired = [...new Set(counted.map(({ skill }) => skill))].sort();
  const first = Math.min(...counted.map(({ turn }) => turn));
  const reason = end.error?.reason;
  const denied = one.mayBeDenied === true && reason === "denied";
  const expected = denied ? [] : (one.sees ?? one.fires);
  // A CLI that was stopped may have sent no further request.
  const confirmed = seen.join() === [...expected].sort().join() || (one.stop === true && seen.length === 0);
  const told = denied
    ? true
    : one.error === undefined
      ? reason === undefined &&
        fired.join() === [...one.fires].sort().join() &&
        (one.turn === undefined || first === one.turn)
      : reason !== undefined && one.error.includes(reason);
  const how = one.stop !== true || denied || end.how === "stopped";
  const message = end.error === undefined ? "" : ` ${end.error.message}`;
  return {
    right: told && how && confirmed,
    confirmed: seen.join() === [...expected].sort().join(),
    said: `${reason === undefined ? `${fired.join(", ") || "none"}${counted.length > 0 ? ` on turn ${first}` : ""}, ${end.how}` : `error: ${reason}${told ? "" : message}`}; the model saw ${seen.join(", ") || "none"}`,
    wanted: `${one.error === undefined ? one.fires.join(", ") || "none" : `error: ${one.error[0]}`}${one.turn === undefined ? "" : ` on turn ${one.turn}`}${one.stop ? ", stopped" : `; the model saw ${expected.join(", ") || "none"}`}`,
  };
}
