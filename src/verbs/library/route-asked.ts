import { createMask, UsageError } from "../../base/index.ts";
import { type RunSettings, resolveExamOptions } from "../../base/options/index.ts";
import { createPool, secretsOfExam } from "../../exam/ask/index.ts";
import { withoutExam } from "../../exam/find/index.ts";
import type { Job, JobResult } from "../../exam/grade/index.ts";
import { findTargets, identifyFor } from "../../exam/plan/index.ts";
import { readSuitesByLibrary } from "../../exam/read/index.ts";
import { expectation, makeAsk } from "../../formats/index.ts";
import type { Library, Trigger } from "../../model/index.ts";
import { countedActivations } from "../../model/index.ts";
import type { AskedLibrary } from "../../reporters/index.ts";
import type { Target } from "../../targets/index.ts";
import { findLibraries } from "../libraries.ts";
import type { OpenScope } from "../scope.ts";

export interface AskedRoute {
  target: string;
  predicted: boolean;
  note: string;
  libraries: AskedLibrary[];
}

interface AskedRequest {
  query: string;
  target: string;
  settings: RunSettings;
  signal?: AbortSignal | undefined;
  starting?(target: string): void;
}

/** Puts one query to a target once, like a trial: in its own workspace and without the exam. Nothing is recorded. */
export async function routeAsked(
  scope: OpenScope,
  { query, target: id, settings, signal, starting }: AskedRequest,
): Promise<AskedRoute> {
  const { cwd, home, config, env } = scope;
  const { libraries, discovery } = await findLibraries(scope);
  const options = resolveExamOptions(settings, config);
  const found = await findTargets({ cwd, home, config, flags: { targets: [id] }, options, env, suites: [] });
  const [planned] = found.targets;
  if (planned === undefined) throw new UsageError(`There is no target ${id}`);
  const { target } = planned;
  if (target.answers.trigger !== true)
    throw new UsageError(`${target.id} cannot be asked which skill gets a query: ${target.answers.trigger}.`);
  const missing = await target.missing?.();
  if (missing !== undefined)
    throw new UsageError(`${target.id}: ${missing}`, "Without a key, -t embedded predicts offline.");
  const mask = createMask(
    secretsOfExam({ env, settings: found.settings, targets: found.targets, models: found.models }),
  );
  const read = await readSuitesByLibrary({ libraries, files: discovery.files });
  starting?.(target.id);
  const asked: AskedLibrary[] = [];
  for (const library of libraries) {
    const shown = withoutExam(library, read.find((one) => one.library.fingerprint === library.fingerprint)?.exam ?? []);
    target.admit?.(shown);
    const pool = createPool({ library: shown, targets: await identifyFor(shown, found.targets) });
    try {
      const seconds = found.settings.get(id)?.timeout_seconds ?? options.timeoutMs / 1000;
      const jobs = jobsFor(shown, target, { query, seconds });
      const results = await inTurn(jobs, target.concurrency ?? 8, (job) =>
        pool.execute(job, signal ?? new AbortController().signal),
      );
      asked.push(answerOf(library, results, mask));
    } finally {
      await pool.close();
    }
  }
  return { target: target.id, predicted: target.predicted, note: target.note ?? "", libraries: asked };
}

/** No skill is expected, so the trial may end as soon as one is loaded. A judge is asked about one skill at a time. */
function jobsFor(
  library: Library,
  { id, perSkill }: Target,
  { query, seconds }: { query: string; seconds: number },
): Job[] {
  const expect = expectation({ nobody: "stated" });
  const question: Trigger = {
    kind: "trigger",
    id: "query",
    query,
    expect,
    files: [],
    messages: [],
    tags: [],
    skipProviders: [],
    limits: {},
    source: { file: "" },
  };
  const ask = makeAsk(question, library);
  const asks = perSkill
    ? library.skills.filter(({ modelInvocable }) => modelInvocable).map((skill) => makeAsk.about(ask, skill.id))
    : [ask];
  return asks.map((one) => ({
    key: `${id} ${one.key} 1`,
    target: id,
    ask: one,
    run: 1,
    questions: [{ id: "query", expect }],
    timeoutMs: seconds * 1000,
    evidence: "any",
  }));
}

async function inTurn<In, Out>(items: readonly In[], atOnce: number, act: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (let at = 0; at < items.length; at += atOnce)
    results.push(...(await Promise.all(items.slice(at, at + atOnce).map(act))));
  return results;
}

function answerOf(
  { name, skills, fingerprint }: Library,
  results: readonly JobResult[],
  mask: (text: string) => string,
): AskedLibrary {
  const failed = results.find(({ transcript }) => transcript.outcome.status === "error")?.transcript.outcome;
  const costs = results.map(({ transcript }) => transcript.costUsd);
  const error =
    failed?.status === "error" ? { reason: failed.error.reason, message: mask(failed.error.message) } : undefined;
  return {
    name,
    skills: skills.length,
    fingerprint,
    trials: results.length,
    activations: results.flatMap(({ transcript }) => countedActivations(transcript.activations)),
    error,
    ms: Math.max(0, ...results.map(({ ms }) => ms)),
    costUsd: costs.some((cost) => cost === undefined)
      ? null
      : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
  };
}
