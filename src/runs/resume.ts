import { resolve } from "node:path";
import { UsageError } from "../base/index.ts";
import type { ExamFlags } from "../options/index.ts";
import { type RecordPlace, readHeader } from "../records/index.ts";

/** What a stored run was asked to do, so that it can be gone on with without saying it all again. Keys are no part of it. */
export async function flagsOfRun(place: RecordPlace): Promise<{ flags: ExamFlags; paths?: string[]; library: string }> {
  const { options, targets, shard, library } = await readHeader(place);
  const recorded = options as Recorded;
  const { runs, evidence, timeoutMs, limits = {}, cache, refresh, agentOptions } = recorded;
  const flags: ExamFlags = {
    targets: targets.map((target) => target.id),
    ...recorded.filters,
    ...pick(recorded, SAME),
    ...(runs?.flag !== undefined && { runs: runs.flag }),
    ...(evidence !== undefined && { evidence: evidence === "loaded" ? "loaded" : "any" }),
    ...(timeoutMs !== undefined && { timeoutSeconds: timeoutMs / 1000 }),
    ...(limits.usd !== undefined && { budget: limits.usd }),
    ...(limits.tokens !== undefined && { budgetTokens: limits.tokens }),
    ...(limits.trials !== undefined && { maxTrials: limits.trials }),
    ...(cache === false && { cache }),
    ...(refresh === true && { refresh }),
    ...(agentOptions && { agentOptions: withFolders(agentOptions, library.root) }),
    ...(shard && { shard }),
  };
  const paths = recorded.paths?.map((path) => resolve(library.root, path));
  return { flags, library: library.name, ...(paths && { paths }) };
}

/**
 * What a resumed run is asked to do: what it was asked before, and what is said now on top. How fast and how dear may change; what would
 * make it another exam is refused when the record is opened, and what only says how it is scored here, since its record has that already.
 */
export async function resumedFlags(place: RecordPlace, given: ExamFlags): Promise<ExamFlags> {
  const { flags } = await flagsOfRun(place);
  const { run, options } = await readHeader(place);
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => !(Array.isArray(value) && value.length === 0))) as ExamFlags;
  const scoring = ["gates", "minCoverage", "allowPredicted"] as const;
  const others = scoring.filter((name) => said[name] !== undefined && JSON.stringify(said[name]) !== JSON.stringify(options[name]));
  if (others.length > 0) {
    const differences = others.map((name) => `${name} ${JSON.stringify(options[name])} → ${JSON.stringify(said[name])}`);
    throw new UsageError(
      `Run ${run} cannot be resumed: ${differences.join("; ")}.`,
      `Resume it as it was; proctor report ${run} then holds it against other gates.`,
    );
  }
  const { gates: _gates, minCoverage: _coverage, allowPredicted: _predicted, ...rest } = said;
  const agentOptions = { ...flags.agentOptions, ...rest.agentOptions };
  return { ...flags, ...rest, ...(Object.keys(agentOptions).length > 0 && { agentOptions }) };
}

/** Recorded under the name of their flag. */
const SAME = [
  "threshold",
  "negativeThreshold",
  "earlyStop",
  "confidence",
  "maxRuns",
  "cross",
  "maxTurns",
  "jobs",
  "retries",
  "keepGoing",
  "escalate",
  "calibrate",
  "judge",
  "ownTargets",
] as const satisfies (keyof ExamFlags & keyof Recorded)[];

function pick(recorded: Recorded, names: typeof SAME): Pick<Recorded, (typeof SAME)[number]> {
  return Object.fromEntries(names.flatMap((name) => (recorded[name] === undefined ? [] : [[name, recorded[name]]])));
}

function withFolders(options: Record<string, unknown>, root: string): Record<string, unknown> {
  const folders = options["with_skills"];
  if (!Array.isArray(folders)) return options;
  return { ...options, with_skills: folders.map((folder) => resolve(root, String(folder))) };
}

/** A part of what header.ts writes. */
interface Recorded {
  filters?: Partial<ExamFlags>;
  runs?: { flag?: number };
  threshold?: number;
  negativeThreshold?: number;
  evidence?: string;
  earlyStop?: boolean;
  confidence?: number;
  maxRuns?: number;
  cross?: boolean;
  timeoutMs?: number;
  maxTurns?: number;
  escalate?: boolean;
  calibrate?: boolean;
  judge?: string;
  ownTargets?: boolean;
  jobs?: number;
  retries?: number;
  keepGoing?: boolean;
  limits?: { usd?: number; tokens?: number; trials?: number };
  cache?: boolean;
  refresh?: boolean;
  agentOptions?: Record<string, unknown>;
  /** Relative to the library's root. */
  paths?: string[];
}
