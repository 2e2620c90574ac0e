import type { Rate } from "../../../../src/model/score.ts";
import type { PageRun } from "../../../../src/reporters/html/page-data.ts";

/** Rates stored for every run. */
export const METRICS = { score: "score", recall: "recall", fpr: "false positives" } as const;
export type Metric = keyof typeof METRICS;

/** Falls back to a default, since anything may be in the address. */
export function metricOf(name: string): Metric {
  return name in METRICS ? (name as Metric) : "score";
}

export function rateOf(target: PageRun["targets"][number], metric: Metric, skill: string): Rate | undefined {
  return skill === "" ? target[metric] : target.skills.find((one) => one.skill === skill)?.[metric];
}
