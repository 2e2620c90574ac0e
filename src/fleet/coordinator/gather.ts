import { fingerprint, UsageError } from "../../base/index.ts";
import type { Identity } from "../../model/index.ts";
import type { Cannot, Hello } from "../wire/messages.ts";
import { otherVersion } from "./admission.ts";
import { type Members, reasons } from "./members.ts";

export interface GatherOptions {
  members: Members;
  /** The run's revision, which may rise meanwhile. */
  revision(): number;
  /** Address of the fleet, for messages. */
  place: string;
  /** How long a run waits for a worker that can do what is left. */
  patienceMs: number;
  /** Called repeatedly while no worker is there. */
  onNobody(text: string): void;
}

/** How long other workers get to describe a target once one has. */
const GATHER_MS = 5_000;
/** How long to wait for another worker if all of them refuse. */
const ALL_REFUSE_MS = 1_500;
const LOOK_MS = 20;
/** How long to wait before saying that no worker is there. */
const QUIET_MS = 3_000;

/** Waits until workers have described a target or a judge. If they differ, the description with the most slots wins. */
export async function gather<Found extends { identity: Identity }>(
  what: string,
  found: (hello: Hello) => Found | Cannot | undefined,
  { members, revision, place, patienceMs, onNobody }: GatherOptions,
): Promise<Found> {
  const start = performance.now();
  let first: number | undefined;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = performance.now();
    const { can, cannot } = answersOf(members.hellos(revision()), found);
    const all = members.haveAllAnswered(revision());
    if (can.length + cannot.length > 0) first ??= now;
    const waited = first === undefined ? 0 : now - first;
    if (can.length > 0 && (all || waited > GATHER_MS)) return mostSlots(can);
    if (can.length === 0 && cannot.length > 0 && waited > (all ? ALL_REFUSE_MS : GATHER_MS))
      throw new UsageError(
        `No worker can run ${what}: ${reasons(cannot)}.`,
        `proctor doctor ${place} shows which workers are there and what they can run.`,
      );
    if (now - start > QUIET_MS && members.isDeserted)
      onNobody(
        `${members.strangers > 0 ? "No worker with this PROCTOR_FLEET_KEY" : "No worker"} is at ${place} yet; waiting for one (proctor worker ${place}). Press Ctrl-C to give up.`,
      );
    if (now - start > patienceMs)
      throw new UsageError(
        `No worker that could run ${what} connected to ${place} within ${Math.round(patienceMs / 1000)} s.`,
        wayOut(members, place),
      );
  }
}

interface Answers<Found> {
  can: { slots: number; found: Found }[];
  cannot: string[];
}

function answersOf<Found extends { identity: Identity }>(
  hellos: readonly Hello[],
  found: (hello: Hello) => Found | Cannot | undefined,
): Answers<Found> {
  const answers: Answers<Found> = { can: [], cannot: [] };
  for (const hello of hellos) {
    const other = otherVersion(hello);
    const one = found(hello);
    if (other !== undefined) answers.cannot.push(`${hello.name}: ${other}`);
    else if (one !== undefined && "identity" in one) answers.can.push({ slots: hello.slots, found: one });
    else if (one !== undefined) answers.cannot.push(`${hello.name}: ${one.cannot}`);
  }
  return answers;
}

function mostSlots<Found extends { identity: Identity }>(can: Answers<Found>["can"]): Found {
  const sums = new Map<string, { slots: number; found: Found }>();
  for (const { slots, found } of can) {
    const print = fingerprint(found.identity);
    sums.set(print, { found, slots: slots + (sums.get(print)?.slots ?? 0) });
  }
  return [...sums.values()].reduce((most, one) => (one.slots > most.slots ? one : most)).found;
}

function wayOut({ strangers, isDeserted }: Members, place: string): string {
  if (strangers === 0 || !isDeserted) return `Start one, on any machine that reaches it: proctor worker ${place}`;
  const who = strangers === 1 ? "The worker there has" : `The ${strangers} workers there have`;
  return `${who} a different PROCTOR_FLEET_KEY: set the same one everywhere.`;
}
