import { type LoopbackRequest, startLoopback } from "../../src/loopback/index.ts";
import type { TrialEvent } from "../../src/model/index.ts";
import { resolveTarget } from "../../src/targets/index.ts";
import type { Check } from "./checks.ts";
import { predicted } from "./cli-models.ts";
import type { Dialect } from "./dialects.ts";
import { type Bench, environment } from "./harness.ts";

const WANTED =
  "yes: alpha predicted; no: none; no decision: error: unparseable; 401: error: auth; no shell, no web, no skills";

const MUST = {
  needs: ["DECISION=<YES|NO>", "Please make an alpha chart."],
  lacks: /BODY-OF|Formats beta invoices|skills_instructions|skills are available/,
};

/** The yes/no judge through the CLI: what it is told is only the card and the query, and it has no shell and no web. */
export const cliJudge: Check = {
  name: "as a judge of one card",
  not: ({ id }) => (id === "claude" || id === "codex" ? undefined : "only claude and codex are judges"),
  async run(dialect, bench) {
    const server = await startLoopback({
      yes: { steps: [{ text: "DECISION=YES REASON=It asks for an alpha chart." }] },
      no: { steps: [{ text: "DECISION=NO REASON=It is about something else." }] },
      vague: { steps: [{ text: "Perhaps." }] },
      denied: { steps: [{ fault: "status" as const, status: 401 }] },
    });
    try {
      const parts: string[] = [];
      for (const [name, scenario] of [
        ["yes", "yes"],
        ["no", "no"],
        ["no decision", "vague"],
        ["401", "denied"],
      ] as const)
        parts.push(`${name}: ${predicted(await decide(dialect, bench, `${server.url}/${scenario}/1${dialect.base}`))}`);
      const said = [...parts, leakOf(server.requests, MUST) ?? "no shell, no web, no skills"].join("; ");
      return { right: said === WANTED, said, wanted: WANTED };
    } finally {
      await server.close();
    }
  },
};

async function decide(dialect: Dialect, bench: Bench, endpoint: string): Promise<TrialEvent[]> {
  const env = environment(dialect, bench);
  const target = await resolveTarget(`judge:cli/${dialect.id}:${dialect.model}`, {
    cwd: bench.cacheDir,
    env,
    settings: { endpoint },
  });
  const sitting = await target.open(bench.library);
  const prompt = "Please make an alpha chart.";
  const ask = {
    key: "judge",
    kind: "trigger" as const,
    skill: "alpha",
    prompt,
    files: [],
    messages: [],
    library: "",
    limits: {},
  };
  const answer = await sitting.ask(ask, { run: 1, signal: AbortSignal.timeout(60_000), decided: () => false });
  const events: TrialEvent[] = [];
  for await (const event of answer.events) events.push(event);
  await sitting.close();
  return events;
}

/** What a request to a CLI that only speaks must not have, if one has it. */
export function leakOf(
  requests: readonly LoopbackRequest[],
  { needs, lacks }: { needs: readonly string[]; lacks: RegExp },
): string | undefined {
  for (const { body } of requests) {
    const words = JSON.stringify(body);
    const missing = needs.find((text) => !words.includes(text));
    if (missing !== undefined) return `the prompt lacks ${missing}`;
    const leaked = lacks.exec(words);
    if (leaked !== null) return `it was told ${leaked[0]}`;
    // Codex tells of tools inside its input, and keeps a few that reach nothing; Claude Code has none.
    const tool =
      /"name":"(exec_command|shell|view_image|web_search)"|(exec_command|web__run)\(args|"type":"web_search"/.exec(
        words,
      );
    if (tool !== null) return `a tool: ${tool[0]}`;
    if ("messages" in (body as object) && toolsOf(body).length > 0) return `tools: ${JSON.stringify(toolsOf(body))}`;
  }
  return undefined;
}

function toolsOf(body: LoopbackRequest["body"]): unknown[] {
  return (body as { tools?: unknown[] }).tools ?? [];
}
