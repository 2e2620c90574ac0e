import { resolve } from "node:path";
import type { RecordPlace } from "../records/index.ts";
import type { ExamFlags } from "./options.ts";
import { readHeader } from "./resume.ts";

/** What a stored run was asked to do, so that it can be gone on with without saying it all again. */
export async function flagsOfRun(place: RecordPlace): Promise<{ flags: ExamFlags; paths?: string[]; library: string }> {
  const { options, targets, shard, library } = await readHeader(place);
  const recorded = options as Recorded;
  const flags: ExamFlags = {
    targets: targets.map((target) => target.id),
    ...recorded.filters,
    ...(recorded.runs?.flag !== undefined && { runs: recorded.runs.flag }),
    ...(recorded.threshold !== undefined && { threshold: recorded.threshold }),
    ...(recorded.negativeThreshold !== undefined && { negativeThreshold: recorded.negativeThreshold }),
    ...(recorded.evidence !== undefined && { evidence: recorded.evidence === "loaded" ? "loaded" : "any" }),
    ...(recorded.earlyStop !== undefined && { earlyStop: recorded.earlyStop }),
    ...(recorded.confidence !== undefined && { confidence: recorded.confidence }),
    ...(recorded.maxRuns !== undefined && { maxRuns: recorded.maxRuns }),
    ...(recorded.cross !== undefined && { cross: recorded.cross }),
    ...(recorded.timeoutMs !== undefined && { timeoutSeconds: recorded.timeoutMs / 1000 }),
    ...(recorded.maxTurns !== undefined && { maxTurns: recorded.maxTurns }),
    ...(recorded.escalate !== undefined && { escalate: recorded.escalate }),
    ...(recorded.calibrate !== undefined && { calibrate: recorded.calibrate }),
    ...(recorded.judge !== undefined && { judge: recorded.judge }),
    ...(recorded.ownTargets !== undefined && { ownTargets: recorded.ownTargets }),
    ...(shard && { shard }),
  };
  const paths = recorded.paths?.map((path) => resolve(library.root, path));
  return { flags, library: library.name, ...(paths && { paths }) };
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
  /** Relative to the library's root. */
  paths?: string[];
}
