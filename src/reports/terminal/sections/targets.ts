import { agreement, type Rate, type Scores, type TargetScores } from "../../../scores/index.ts";
import { oneLine, wrap } from "../../text/fit-text.ts";
import { intervalText, questionsText, rateOverText, rateText, shareText } from "../../text/numbers.ts";
import { table } from "../../text/table.ts";
import type { ReportScreen } from "../screen.ts";

/** Several targets side by side, and how far they agree. */
export function targetLines(scores: Scores, { colors, width }: ReportScreen): string[] {
  const { targets } = scores;
  if (targets.length < 2) return [];
  const wide = width >= 110;
  const narrow = width < 76;
  const rate = (one: Rate) => (narrow && one.value !== null ? `${one.value.toFixed(2)} ${one.n}` : rateOverText(one));
  const rows = targets.map(({ id, total }) => [
    oneLine(id),
    shareText(total.score),
    rate(total.recall),
    rate(total.fpr),
    ...(wide ? [rateText(total.precision), `${total.flaky}`] : []),
    `${total.coverage.verdicts}/${total.coverage.planned}`,
  ]);
  const titles = [
    "target",
    "score [95 %]",
    narrow ? "recall n" : "recall [95 %] n",
    narrow ? "FP n" : "false positives n",
    ...(wide ? ["precision", "flaky"] : []),
    "verdicts",
  ];
  const columns = titles.map((title) => ({ title, most: 28 }));
  const [head = "", ...lines] = table(columns, rows, width);
  return [colors.dim(head), ...lines, ...agreementLines(scores, width)];
}

function agreementLines(scores: Scores, width: number): string[] {
  const [first, ...others] = scores.targets;
  if (first === undefined) return [];
  return others.flatMap((other) =>
    [agreedText(first, other, scores), trustText(first, other, scores)].flatMap((text) => wrap(text, width)),
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

/** What the word of the one that only predicts, or else of the first, is worth: how often the other fails what it fails, passes or cannot tell. */
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
