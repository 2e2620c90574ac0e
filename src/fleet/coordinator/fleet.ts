import { hostname } from "node:os";
import { fingerprint, UsageError } from "../../base/index.ts";
import type { Workers } from "../../exam/ask/index.ts";
import { resolveTarget, type Target, type TargetContext, type TextJudge } from "../../targets/index.ts";
import { packBundle } from "../bundle/bundle.ts";
import { packExam } from "../bundle/exam-bundle.ts";
import { isRemote } from "../remote-kinds.ts";
import { connect } from "../wire/connect.ts";
import { createSigner } from "../wire/signature.ts";
import { FleetExecutor } from "./executor.ts";
import { FleetRun } from "./fleet-run.ts";
import { remoteTarget, runTarget, withoutKeys } from "./remote-target.ts";

export interface FleetOptions {
  env: NodeJS.ProcessEnv;
  /** How long to wait for a worker that can do what is left. */
  patienceMs?: number;
  notice(text: string): void;
}

/** The workers as one run uses them. */
export interface Fleet extends Workers {
  /** Resolves a target on the workers, or here if it is not remote. */
  resolve(spec: string, context: TargetContext): Promise<Target>;
  close(): Promise<void>;
}

const LEASE_SECONDS = 15;
const PATIENCE_MS = 5 * 60_000;

/** Connects a run with the workers at this address. */
export async function openFleet(url: string, { env, patienceMs = PATIENCE_MS, notice }: FleetOptions): Promise<Fleet> {
  const signer = createSigner(env);
  const leaseMs = leaseOf(env);
  const link = await connect(url, (fault) =>
    notice(fault === undefined ? `${link.place} answers again.` : `${fault}. What was measured is in the record.`),
  );
  const run = new FleetRun(link, signer, { leaseMs, patienceMs, notice });
  await run.begin();
  return {
    async resolve(spec, context) {
      if (!isRemote(spec)) return resolveTarget(spec, context);
      const { target, packed } = await runTarget(spec, context);
      if (target.files !== undefined && packed !== undefined) await run.addBundle(target.files, packed);
      return remoteTarget(spec, await run.describe(target));
    },
    async judges(names, { always, agents, ...models }) {
      const wanted = always === undefined ? [...names] : [always];
      const described = await run.describeJudges({
        names: wanted,
        always,
        models: withoutKeys(models),
        options: agents?.options ?? {},
      });
      const judges = new Map<string, TextJudge>(
        [...described].map(([name, judge]) => [name, { ...judge, ask: notHere }]),
      );
      return (name) => judges.get(always ?? name ?? "");
    },
    async open({ snapshot, record, here, finish, notice: tell }) {
      await run.takeOver(fingerprint([hostname(), record.dir]));
      const { files, portable } = await packExam(snapshot);
      const { ref, packed } = await packBundle(files);
      await run.addBundle(ref, packed);
      await run.lookNow();
      return new FleetExecutor({
        link,
        signer,
        run,
        exam: ref,
        portable,
        here,
        finish,
        leaseMs,
        patienceMs,
        notice: tell,
      });
    },
    async close() {
      await run.close();
      link.close();
    },
  };
}

/** How long a worker or a run may be silent before others continue without it. */
function leaseOf({ PROCTOR_FLEET_LEASE: text }: NodeJS.ProcessEnv): number {
  const seconds = text === undefined || text === "" ? LEASE_SECONDS : Number(text);
  if (seconds >= 2 && seconds <= 3_600) return seconds * 1000;
  throw new UsageError(`PROCTOR_FLEET_LEASE=${text} is not valid.`, "It must be a number of seconds from 2 to 3600.");
}

async function notHere(): Promise<never> {
  throw new Error("judges are asked on workers, not here");
}
