import { agreements, exitCode } from "../exam/score/index.ts";
import { agreementOf } from "../history/index.ts";
import type { Scores } from "../model/index.ts";
import { checkJson } from "./check/json.ts";
import { compareJson } from "./compare/json.ts";
import { type JsonReport, REPORT_VERSION } from "./json-schema.ts";
import type { RenderOptions, Reporter } from "./reporter.ts";
import { rounded } from "./text/numbers.ts";

/** Everything, for machines: versioned, and the same for the same record. */
export const json: Reporter = {
  name: "json",
  about: "for machines: every score, question and cause; docs/json-report.md",
  render: renderJson,
  compare: compareJson,
  check: checkJson,
};

export function renderJson(scores: Scores, { notes = [] }: RenderOptions = {}): string {
  const { run, options, plan, gates, targets } = scores;
  const report: JsonReport = {
    version: REPORT_VERSION,
    exitCode: exitCode(scores),
    run,
    options: { ...options, gates: options.gates.map((gate) => gate.text) },
    plan,
    gates: gates.map((result) => ({ ...result, gate: result.gate.text })),
    agreements: agreements(scores),
    targets: targets.map((target) => ({ ...target, identity: { ...target.identity } })),
  };
  if (notes.length > 0) Object.assign(report, { notes: { all: notes, agreement: agreementOf(notes, scores) } });
  return `${JSON.stringify(report, rounded, 2)}\n`;
}
