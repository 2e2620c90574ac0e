import type { createColors } from "picocolors";
import { errorLabel } from "../exam/score/index.ts";
import type { Transcript, TrialLine } from "../model/index.ts";
import { oneLine, truncate, wrap } from "./text/fit-text.ts";
import { moneyText, timeText } from "./text/numbers.ts";

export interface ShownTrial {
  prompt: string;
  name?: string | undefined;
  compared?: string | undefined;
  place: string;
  predicted?: true;
  line: TrialLine;
  transcript?: Transcript;
  raw?: string;
}

export interface TrialTextOptions {
  colors: ReturnType<typeof createColors>;
  width: number;
  verbose: boolean;
}

const RAW_LINES = 10;

export function trialText(trial: ShownTrial, { colors, width, verbose }: TrialTextOptions): string {
  const { prompt, name, compared, place, predicted = false, line, transcript, raw } = trial;
  const facts = [
    ...(predicted ? ["predicted"] : []),
    line.cached === undefined ? timeText(line.ms) : `from the cache (${oneLine(line.cached.measuredAt.slice(0, 10))})`,
    ...(line.costUsd === undefined || line.cached !== undefined ? [] : [moneyText(line.costUsd)]),
    ...(line.attempts.length > 1 ? [`${line.attempts.length} attempts`] : []),
  ].join(", ");
  const told = (text: string, indent: string) => wrap(text, width - indent.length).map((part) => `${indent}${part}`);
  return [
    ...wrap(`${name === undefined ? "" : `${oneLine(name)}: `}"${oneLine(prompt)}"  ${place}`, width).map((part) =>
      colors.bold(part),
    ),
    ...told(
      `${oneLine(line.target)}, run ${line.run}${compared === undefined ? "" : `, for comparison ${oneLine(compared)}`}: ${predicted ? predictedOutcome(line) : outcome(line)} ${colors.dim(`(${facts})`)}`,
      "  ",
    ),
    ...line.checks.flatMap(checkTexts).flatMap((text) => told(text, "  ")),
    ...(transcript?.calls ?? []).map(({ turn, tool, input, ok }) =>
      truncate(
        `  turn ${turn}  ${oneLine(tool)} ${oneLine(JSON.stringify(input) ?? "")}${ok === false ? " (failed)" : ""}`,
        width,
      ),
    ),
    ...(transcript?.texts ?? []).flatMap(({ turn, text }) => told(`turn ${turn}  said: ${oneLine(text)}`, "  ")),
    ...(predicted && raw === undefined ? [] : rawLines(raw, { colors, width, verbose })),
  ].join("\n");
}

/**
 * Every check of a case with its evidence; for a trigger only the failures, because its activations are shown anyway.
 */
function checkTexts({ passed, message, parts }: TrialLine["checks"][number]): string[] {
  if (parts === undefined || parts.length === 0)
    return passed === true ? [] : [`${passed === false ? "✗" : "?"} ${oneLine(message)}`];
  return parts.map((part) => {
    const sign = part.passed === true ? "✓" : part.passed === false ? "✗" : "–";
    return `${sign} ${oneLine(part.grader)}: ${oneLine(part.message)}${part.evidence === undefined ? "" : ` (${oneLine(part.evidence)})`}`;
  });
}

function outcome({ error, activations, how }: TrialLine): string {
  if (error !== undefined) return `error: ${errorLabel(error.reason)} (${oneLine(error.message).replace(/\.$/, "")})`;
  if (activations.length === 0) return `no skill was used, ${how}`;
  return activations.map(({ skill, evidence, turn }) => `${oneLine(skill)} ${evidence} on turn ${turn}`).join(", ");
}

function predictedOutcome({ error, activations, checks, ...line }: TrialLine): string {
  if (error !== undefined) return outcome({ error, activations, checks, ...line });
  if (activations.length === 0)
    return checks.some(({ passed }) => passed === null) ? "no skill fires for certain" : "no skill fires";
  const skills = [...new Set(activations.map(({ skill }) => oneLine(skill)))];
  return `${skills.join(", ")} ${skills.length === 1 ? "fires" : "fire"}`;
}

function rawLines(raw: string | undefined, { colors, width, verbose }: TrialTextOptions): string[] {
  if (raw === undefined || raw.trim() === "") return [colors.dim("  no raw output was kept")];
  const lines = raw.trimEnd().split("\n");
  const shown = verbose ? lines : lines.slice(-RAW_LINES);
  const head =
    shown.length === lines.length
      ? "raw output:"
      : `raw output, the last ${shown.length} of ${lines.length} lines (--verbose shows all):`;
  return [
    `  ${head}`,
    ...shown.map((text) => colors.dim(verbose ? `  ${oneLine(text)}` : truncate(`  ${oneLine(text)}`, width * 3))),
  ];
}
