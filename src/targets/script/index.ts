import { resolve } from "node:path";
import { sha256, UsageError } from "../../base/index.ts";
import type { Ask, TrialError, WorkspaceFiles } from "../../model/index.ts";
import type { Target } from "../target.ts";
import { chance, createFinder } from "./find-reply.ts";
import { loadScript } from "./load-script.ts";
import { playReply } from "./play-reply.ts";
import type { ScriptedReply } from "./schema.ts";

export async function scriptTarget(name: string, cwd: string): Promise<Target> {
  if (name === "")
    throw new UsageError("script: needs a file", "For example script:answers.yaml; docs/script-target.md shows one.");
  const { script, text } = loadScript(resolve(cwd, name), name);
  const find = await createFinder(script, name);
  const cost = script.cost_per_trial === "unknown" ? null : script.cost_per_trial;
  return {
    id: `script:${name}`,
    kind: "script",
    predicted: script.predicted,
    answers: { trigger: true, case: true },
    expectedCostUsd: cost,
    concurrency: script.concurrency,
    note: "answers come from a script, not from a model",
    identify: async () => ({
      host: "script",
      version: script.version,
      provider: script.provider,
      model: script.model,
      options: { script: sha256(text).slice(0, 16) },
      deterministic: script.deterministic,
    }),
    async open() {
      const failures = new Map<string, number>();
      return {
        ask: async (ask, asking) => {
          const reply = find(ask.prompt, asking.run, ask.variant !== undefined) ?? {
            skills: [],
            calls: [],
            error: { reason: "unknown" as const, message: `${name} has no answer to this` },
          };
          const error = nextError(reply, `${ask.key} ${asking.run}`, failures);
          const latency = latencyOf(reply.latency ?? script.latency, () =>
            chance(script.seed + 1, ask.prompt, asking.run),
          );
          const { files } = reply;
          return {
            events: playReply({ script, reply, latency, asking, error }),
            files: files && (() => leftFiles(files, ask.files)),
            dispose: async () => {},
          };
        },
        close: async () => {},
      };
    },
  };
}

function leftFiles(written: Record<string, string | null>, given: Ask["files"]): WorkspaceFiles {
  const before = new Map(given.flatMap((file) => ("content" in file ? [[file.path, file.content] as const] : [])));
  const same = [...before]
    .filter(([path]) => !(path in written))
    .map(([path, text]) => ({ path, text, change: "same" as const }));
  const left = Object.entries(written).map(([path, text]) => {
    const then = before.get(path);
    const was = then === undefined ? undefined : { before: then };
    if (text === null) return { path, kind: "file" as const, change: "removed" as const, ...was };
    const change = then === undefined ? ("added" as const) : ("changed" as const);
    return { path, kind: "file" as const, text, bytes: Buffer.byteLength(text), change, ...was };
  });
  return { files: [...same.map((file) => ({ ...file, kind: "file" as const })), ...left] };
}

const TRANSIENT: readonly string[] = ["rate_limit", "overloaded", "api", "timeout", "crash", "cut_stream"];

/** With `times`, only the first attempts at a trial fail. */
function nextError({ error }: ScriptedReply, trial: string, failures: Map<string, number>): TrialError | undefined {
  if (error === undefined) return undefined;
  if (error.times !== undefined) {
    const failed = failures.get(trial) ?? 0;
    if (failed >= error.times) return undefined;
    failures.set(trial, failed + 1);
  }
  return {
    reason: error.reason,
    message: error.message ?? `scripted ${error.reason}`,
    retryable: error.retryable ?? TRANSIENT.includes(error.reason),
    retryAfterMs: error.retry_after,
  };
}

function latencyOf(latency: number | [number, number], random: () => number): number {
  if (typeof latency === "number") return latency;
  const [least, most] = latency;
  return least + (most - least) * random();
}
