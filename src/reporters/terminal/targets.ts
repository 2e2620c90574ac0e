import type { createColors } from "picocolors";
import { agreement } from "../../exam/score/index.ts";
import type { GateResult, Rate, Scores, TargetScores } from "../../model/index.ts";
import { type Column, oneLine, table, widthOf, wrap } from "../text/fit-text.ts";
import { intervalText, portionText, questionsText, rateText, shareText } from "../text/numbers.ts";
import type { ReportScreen } from "./screen.ts";

export function targetLines(scores: Scores, { colors, width, verbose }: ReportScreen): string[] {
  const { targets } = scores;
  if (targets.length < 2) return [];
  const all: [title: string, cell: (target: TargetScores) => string][] = [
    ["target", ({ id }) => oneLine(id)],
    ["score [95 %]", ({ total }) => shareText(total.score)],
    ["recall [95 %]", ({ total }) => portionText(total.recall)],
    ["false positives", ({ total }) => portionText(total.fpr)],
    ["verdicts", ({ total: { coverage } }) => `${coverage.verdicts}/${coverage.planned}`],
    ["precision", ({ total }) => rateText(total.precision)],
    ["flaky", ({ total }) => `${total.flaky}`],
  ];
  const tableOf = (some: typeof all): [Column[], string[][]] => [
    some.map(([title]) => ({ title, most: 28 })),
    targets.map((target) => some.map(([, cell]) => cell(target))),
  ];
  // A rate is shown whole or not at all.
  let shown = all.length;
  while (shown > 2 && widthOf(...tableOf(all.slice(0, shown))) > width) shown--;
  const [head = "", ...lines] = table(...tableOf(all.slice(0, shown)), width);
  return [colors.dim(head), ...lines, ...agreementLines(scores, { width, verbose })];
}

/** The first target against each other one; with --verbose, every pair. */
function agreementLines(scores: Scores, { width, verbose }: Pick<ReportScreen, "width" | "verbose">): string[] {
  const { targets } = scores;
  const pairs = targets.flatMap((one, at) => targets.slice(at + 1).map((other) => [one, other] as const));
  return pairs
    .filter(([one]) => verbose || one === targets[0])
    .flatMap(([one, other]) =>
      [agreedText(one, other, scores), trustText(one, other, scores)].flatMap((text) => wrap(text, width)),
    );
}

function agreedText(first: TargetScores, other: TargetScores, scores: Scores): string {
  const both = agreement(scores, first.id, other.id);
  if (both === null || both.n === 0) return "";
  const kappa = both.kappa === null ? "" : ` (kappa ${both.kappa.toFixed(2)})`;
  const part = (name: string, { agreed, n, ...bounds }: typeof both.positives) =>
    n === 0 ? [] : [`${name} ${agreed} of ${n}${intervalText(bounds)}`];
  const apart = [...part("positives", both.positives), ...part("negatives", both.negatives)].join(", ");
  return `${oneLine(first.id)} and ${oneLine(other.id)} come to the same verdict on ${both.agreed} of ${questionsText(both)}${intervalText(both)}${kappa}: ${apart}`;
}

/**
 * Trust in the target that only predicts, or else in the first: how often the other fails what it fails, passes or
 * cannot tell.
 */
function trustText(one: TargetScores, other: TargetScores, scores: Scores): string {
  const [first, second] = other.predicted && !one.predicted ? [other, one] : [one, other];
  const fails = agreement(scores, first.id, second.id)?.secondFails;
  if (fails === undefined) return "";
  const words = [
    ["fails", fails.givenFail],
    ["passes", fails.givenPass],
    ["cannot tell", fails.givenUnsure],
  ] as const;
  const said = words.flatMap(([does, rate]) =>
    rate.n === 0 ? [] : [`${ofThose(rate)} ${oneLine(first.id)} ${does}${intervalText(rate)}`],
  );
  return said.length === 0 ? "" : `${oneLine(second.id)} fails ${said.join(", ")}`;
}

function ofThose({ value, n }: Rate): string {
  return `${Math.round((value ?? 0) * n)} of the ${n} that`;
}

/** pass@k and pass^k, with --verbose only. */
export function attemptLines({ targets }: Scores, { verbose, width }: ReportScreen): string[] {
  if (!verbose) return [];
  return targets.flatMap(({ id, attempts }) => {
    const shown = attempts.map(
      ({ k, passAt, passAtInterval, passAll, passAllInterval, ...over }) =>
        `pass@${k} ${passAt.toFixed(2)}${intervalText(passAtInterval)} pass^${k} ${passAll.toFixed(2)}${intervalText(passAllInterval)} over ${questionsText(over)}`,
    );
    return shown.length === 0 ? [] : wrap(`${targets.length > 1 ? `${oneLine(id)}: ` : ""}${shown.join(" · ")}`, width);
  });
}

/** Every gate, met or not. A gate without a measurement is never green. */
export function gateLines({ gates, targets, options }: Scores, { colors, width }: ReportScreen): string[] {
  return gates.flatMap((result) =>
    gateLine(result, { several: targets.length > 1, allowPredicted: options.allowPredicted, colors, width }),
  );
}

interface GateTextOptions {
  several: boolean;
  allowPredicted: boolean;
  colors: ReturnType<typeof createColors>;
  width: number;
}

export function gateLine(
  { gate, status, target, message, predicted }: Omit<GateResult, "gate"> & { gate: { text: string } },
  { several, allowPredicted, colors, width }: GateTextOptions,
): string[] {
  const mark = { met: colors.green("✓"), breached: colors.red("✗"), unmeasured: colors.yellow("?") }[status];
  const where = several && target !== "" ? ` on ${oneLine(target)}` : "";
  const advisory =
    status === "breached" && predicted && !allowPredicted
      ? "; predicted, so it does not fail the run without --allow-predicted"
      : "";
  const text = `gate ${oneLine(gate.text)}${where}: ${oneLine(message)}${advisory}`;
  return wrap(text, width - 2).map((line, index) => `${index === 0 ? mark : " "} ${line}`);
}
