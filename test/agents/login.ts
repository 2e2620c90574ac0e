import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startLoopback } from "../../src/loopback/index.ts";
import type { TrialEvent } from "../../src/model/index.ts";
import { openAgent } from "../../src/targets/agents/index.ts";
import { resolveTarget, type Target } from "../../src/targets/index.ts";
import type { Check } from "./checks.ts";
import type { Dialect } from "./dialects.ts";
import { type Bench, environment } from "./harness.ts";

const later = Date.now() + 36_000_000;
const jwt = ["e30", Buffer.from(JSON.stringify({ exp: later / 1000 })).toString("base64url"), "c2ln"].join(".");
const tokens = { id_token: jwt, access_token: jwt, refresh_token: "renews", account_id: "somebody" };

/** An invented login of each CLI, and how its model is named where that matters. */
const logins: Record<string, { path: string; content: object; model?: string }> = {
  claude: {
    path: ".claude/.credentials.json",
    content: {
      claudeAiOauth: {
        accessToken: "invented-access",
        refreshToken: "renews",
        expiresAt: later,
        scopes: ["user:inference"],
      },
    },
  },
  codex: { path: ".codex/auth.json", content: { OPENAI_API_KEY: null, tokens, last_refresh: "2025-01-01T00:00:00Z" } },
  opencode: {
    path: ".local/share/opencode/auth.json",
    content: { anthropic: { type: "api", key: "invented-access" } },
    model: "anthropic/claude-haiku-4-5",
  },
};

/** With the login of a user, reduced, and a key in the environment that must not be used. */
export const usersLogin: Check = {
  name: "with the user's own login",
  not: ({ id }) => (logins[id] === undefined ? "its login is not sent to an endpoint of one's own" : undefined),
  async run(dialect, bench) {
    const { path, content, model = dialect.model } = logins[dialect.id]!;
    const home = mkdtempSync(join(tmpdir(), "proctor-login-"));
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(content));
    const models = await startLoopback({
      it: { steps: [{ calls: [dialect.load("alpha")] }, { text: "Done." }] },
      yes: { steps: [{ text: "DECISION=YES REASON=It fits." }] },
    });
    const gate = await startGate(models.url);
    try {
      const env = { ...environment(dialect, bench), HOME: home };
      const options = { canary: false, use_login: true };
      const endpoint = (scenario: string) => `${gate.url}/${scenario}/1${dialect.base}`;
      const agent = await openAgent(dialect.id, model, {
        env,
        endpoint: endpoint("it"),
        options,
        cacheDir: bench.cacheDir,
      });
      const asked = [await activations(agent, dialect, bench)];
      if (dialect.id !== "opencode") {
        const settings = { endpoint: endpoint("yes"), options };
        const judge = await resolveTarget(`judge:cli/${dialect.id}:${model}`, { cwd: bench.cacheDir, env, settings });
        asked.push(`as a judge: ${await activations(judge, dialect, bench)}`);
      }
      const said = [...asked, `sent ${[...gate.credentials].join(" and ") || "nothing"}`].join("; ");
      const judged = dialect.id === "opencode" ? "" : "; as a judge: alpha predicted";
      const wanted = `alpha ${dialect.evidence}${judged}; sent the login`;
      return { right: said === wanted, said, wanted };
    } finally {
      await gate.close();
      await models.close();
      rmSync(home, { recursive: true, force: true });
    }
  },
};

async function activations(target: Target, dialect: Dialect, bench: Bench): Promise<string> {
  const sitting = await target.open(bench.library);
  const prompt = "Please make an alpha chart.";
  const ask = {
    key: "login",
    kind: "trigger" as const,
    skill: "alpha",
    prompt,
    files: [],
    messages: [],
    library: "",
    limits: {},
  };
  const answer = await sitting.ask(ask, {
    run: 1,
    signal: AbortSignal.timeout(60_000 * (dialect.patience ?? 1)),
    decided: () => false,
  });
  const events: TrialEvent[] = [];
  for await (const event of answer.events) events.push(event);
  await answer.dispose();
  await sitting.close();
  const end = events.at(-1);
  if (end?.type === "end" && end.error !== undefined) return `error: ${end.error.message}`;
  return (
    events.flatMap((event) => (event.type === "activation" ? [`${event.skill} ${event.evidence}`] : [])).join(", ") ||
    "none"
  );
}

/** Stands before the scripted models and notes with what they are asked. */
async function startGate(behind: string) {
  const credentials = new Set<string>();
  const server = createServer((incoming, outgoing) => {
    const { authorization, "x-api-key": key } = incoming.headers;
    const sent = `${authorization ?? ""}${key ?? ""}`;
    if (incoming.method === "POST")
      credentials.add(
        /^(Bearer )?(invented-access|e30\..*)$/.test(sent) ? "the login" : sent === "" ? "nothing" : "another key",
      );
    const { method, headers } = incoming;
    const passed = request(behind + incoming.url, { ...(method !== undefined && { method }), headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
