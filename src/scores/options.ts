import { z } from "zod";
import { UsageError } from "../base/index.ts";
import type { EvidenceRule } from "../transcripts/index.ts";
import { type Gate, parseGate } from "./gates.ts";

/** How a record is scored. What is left out is taken from the record's header (`options`, same names), then from the defaults. */
export interface ScoreOptions {
  threshold?: number;
  negativeThreshold?: number;
  /** Another rule than the record's grades its triggers again; their activations are in it. */
  evidence?: EvidenceRule;
  /** Runs were cut when they could no longer change a verdict. */
  earlyStop?: boolean;
  /** Each question was sampled until its confidence sequence cleared its threshold: the level, 0.95 say. */
  confidence?: number;
  gates?: string[];
  /** Share of planned questions that must have a verdict. */
  minCoverage?: number;
  allowPredicted?: boolean;
}

export interface ResolvedScoreOptions {
  threshold: number;
  negativeThreshold: number;
  evidence: EvidenceRule;
  earlyStop: boolean;
  confidence: number | null;
  gates: Gate[];
  minCoverage: number;
  allowPredicted: boolean;
}

const share = z.number().min(0).max(1);

const recorded = z.object({
  threshold: share.optional().catch(undefined),
  negativeThreshold: share.optional().catch(undefined),
  evidence: z.enum(["any", "loaded"]).optional().catch(undefined),
  earlyStop: z.boolean().optional().catch(undefined),
  confidence: z.number().gt(0).lt(1).optional().catch(undefined),
  gates: z.array(z.string()).optional().catch(undefined),
  minCoverage: share.optional().catch(undefined),
  allowPredicted: z.boolean().optional().catch(undefined),
});

export function resolveOptions(given: ScoreOptions, header: Record<string, unknown>): ResolvedScoreOptions {
  const before = recorded.parse(camelKeys(header));
  const options = {
    threshold: given.threshold ?? before.threshold ?? 0.5,
    negativeThreshold: given.negativeThreshold ?? before.negativeThreshold ?? 0.5,
    evidence: given.evidence ?? before.evidence ?? "any",
    earlyStop: given.earlyStop ?? before.earlyStop ?? true,
    confidence: given.confidence ?? before.confidence ?? null,
    gates: (given.gates ?? before.gates ?? []).map(parseGate),
    minCoverage: given.minCoverage ?? before.minCoverage ?? 1,
    allowPredicted: given.allowPredicted ?? before.allowPredicted ?? false,
  };
  for (const name of ["threshold", "negativeThreshold", "minCoverage"] as const) {
    if (!share.safeParse(options[name]).success) throw new UsageError(`${name} is ${options[name]}; it is a share between 0 and 1.`);
  }
  if (options.confidence !== null && !(options.confidence > 0 && options.confidence < 1)) {
    throw new UsageError(`confidence is ${options.confidence}; it lies between 0 and 1, 0.95 say.`);
  }
  return options;
}

/** A configuration writes `min_coverage`, code writes `minCoverage`; a record may hold either. */
function camelKeys(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), value]),
  );
}
