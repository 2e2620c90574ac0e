import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { type Loopback, startLoopback } from "../../src/loopback/index.ts";
import type { Activation, EndEvent, Library, TrialEvent } from "../../src/model/index.ts";
import { openAgent, rereadTrial } from "../../src/targets/agents/index.ts";
import type { Dialect } from "./dialects.ts";
import type { Case, Expected } from "./scenarios.ts";

export interface Bench {
  library: Library;
  cacheDir: string;
  /** The CLI's executable, and folders it needs on PATH. */
  file: string;
  path: string[];
  /** No sandbox works on this machine. */
  unboxed?: boolean;
  /** Takes what was kept of a scenario that was told right. */
  record?(name: string, raw: string, said: string): void;
}

export interface Verdict {
  right: boolean;
  /** In the words of the table. */
  said: string;
  wanted: string;
  ms: number;
}

/** Puts one scenario to one real CLI and compares what Proctor says with what the model really did. */
export async function judge(dialect: Dialect, one: Case, bench: Bench, run = "1"): Promise<Verdict> {
  const expected = expectedOf(one, dialect);
  let workspace = "";
  let server: Loopback | undefined;
  const started = performance.now();
  try {
    // The steps are built when the first request comes: by then the workspace is known.
    server = await startLoopback({ it: lazily(() => one.script(dialect, workspace)) });
    if (one.dead) await server.close();
    const target = await targetOf(dialect, bench, `${server.url}/it/${run}${dialect.base}`);
    const sitting = await target.open(bench.library);
    const ask = {
      key: one.name,
      kind: "trigger" as const,
      prompt: one.prompt?.(dialect) ?? "Please make an alpha chart from sales.csv.",
      files: [{ path: "sales.csv", content: "a,b\n1,2\n" }],
      messages: [],
      library: bench.library.fingerprint,
      limits: { timeoutSeconds: (one.timeout ?? 30) * (dialect.patience ?? 1) },
    };
    const decided = decidedBy(one);
    const answer = await sitting.ask(ask, { run: 1, signal: new AbortController().signal, decided });
    workspace = answer.workspace ?? "";
    const killer = one.crash ? killWhenAsked(server, workspace) : undefined;
    const events: TrialEvent[] = [];
    for await (const event of answer.events) events.push(event);
    await killer;
    await answer.dispose();
    await sitting.close();
    const verdict = compare(expected, events);
    // What is kept of a trial must tell the same again.
    const raw = answer.raw?.() ?? "";
    const again = await rereadTrial(raw, { skills: bench.library.skills, decided });
    const same =
      again.status === "read" && JSON.stringify(again.events.map(essence)) === JSON.stringify(events.map(essence));
    const told = same
      ? {}
      : { right: false, said: `${verdict.said}; read again: ${JSON.stringify(again).slice(0, 2000)}` };
    if (same && verdict.right) bench.record?.(one.name, raw, verdict.said);
    return { ...verdict, ...told, ms: performance.now() - started };
  } finally {
    if (!one.dead) await server?.close();
  }
}

export function targetOf(
  dialect: Dialect,
  bench: Bench,
  endpoint: string,
  given: Record<string, unknown> = { canary: false },
) {
  // Where Proctor's sandbox does not work, that of Codex does not either, and no command would run.
  const options = bench.unboxed && dialect.id === "codex" ? { sandbox: "off", ...given } : given;
  return openAgent(dialect.id, dialect.model, {
    env: environment(dialect, bench),
    endpoint,
    options,
    cacheDir: bench.cacheDir,
  });
}

/** Nothing of the outside: no key, no base URL, no login can come in. */
export function environment(dialect: Dialect, bench: Bench): NodeJS.ProcessEnv {
  return {
    PATH: [...bench.path, "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    [dialect.key]: "sk-dummy",
    [`PROCTOR_${dialect.id.toUpperCase()}_PATH`]: bench.file,
  };
}

export function expectedOf({ expect }: Case, dialect: Dialect): Expected {
  return typeof expect === "function" ? expect(dialect) : expect;
}

export function decidedBy({ stopEarly }: Case): (activations: readonly Activation[]) => boolean {
  return (activations) => stopEarly === true && activations.length > 0;
}

function lazily(build: () => ReturnType<Case["script"]>): ReturnType<Case["script"]> {
  return {
    get steps() {
      return build().steps;
    },
    get rules() {
      return build().rules ?? [];
    },
  };
}

/** Without the moment at which it was told: raw output does not have it. */
function essence(event: TrialEvent): unknown {
  return event.type === "end"
    ? [event.how, event.error?.reason, event.listing, event.usage]
    : { ...event, at: undefined };
}

export function compare(expected: Expected, events: TrialEvent[]): Omit<Verdict, "ms"> {
  const end = events.at(-1) as EndEvent;
  const all = events.filter((event) => event.type === "activation");
  const counted = all.filter(({ evidence }) => evidence !== "refused" && evidence !== "mentioned");
  const refused = all.filter(({ evidence }) => evidence === "refused").map(({ skill }) => skill);
  const said = end.error !== undefined ? `error: ${end.error.reason}` : told(counted, refused, end.how);
  if ("error" in expected) {
    const late = expected.beforeTimeout && TIMED_OUT.test(end.error?.message ?? "");
    const right = end.error !== undefined && expected.error.includes(end.error.reason) && !late;
    return {
      right,
      said: right ? said : `${said} (${end.error?.message ?? ""})`,
      wanted: `error: ${expected.error[0]}`,
    };
  }
  const wanted = told(expected.activations, expected.refused ?? [], expected.how ?? "completed");
  const how = end.how === (expected.how ?? "completed");
  const right =
    end.error === undefined &&
    how &&
    key(counted, expected.ordered) === key(expected.activations, expected.ordered) &&
    (expected.refused ?? []).every((skill) => refused.includes(skill));
  return { right, said: end.error === undefined ? said : `${said} (${end.error.message})`, wanted };
}

/** Of a trial that was ended only when its time was up. */
const TIMED_OUT = /It tried for|no end after/;

function told(activations: Activation[], refused: string[], how: string): string {
  const parts = [
    ...activations.map(
      ({ skill, turn, evidence, agent }) =>
        `${skill} ${evidence}, turn ${turn}${agent === undefined ? "" : ", in a sub-agent"}`,
    ),
    ...refused.map((skill) => `${skill} refused`),
  ];
  return `${parts.length === 0 ? "none" : parts.join("; ")}${how === "completed" ? "" : ` (${how})`}`;
}

function key(activations: Activation[], ordered = false): string {
  const all = activations.map(({ skill, turn, evidence, agent }) => [skill, turn, evidence, agent !== undefined]);
  return JSON.stringify(ordered ? all : all.sort());
}

/** What an out-of-memory killer would do. */
async function killWhenAsked(server: Loopback, workspace: string): Promise<void> {
  for (let tries = 0; tries < 300 && server.requests.length === 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  for (const pid of processesIn(workspace)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It went down with another.
    }
  }
}

/** Processes whose working directory lies in a folder. */
function processesIn(folder: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      if (!Number.isInteger(pid) || pid === process.pid) return false;
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== ""
        );
      } catch {
        return false;
      }
    });
}
