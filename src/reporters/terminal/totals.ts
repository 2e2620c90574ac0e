import { count } from "../../base/index.ts";
import type { Note, NotedAgreement } from "../../history/index.ts";
import type { Scores, TrialStats } from "../../model/index.ts";
import { oneLine, wrap } from "../text/fit-text.ts";
import { memoryText, moneyText, questionsText, timeText } from "../text/numbers.ts";
import type { ReportScreen } from "./screen.ts";
import { asideFor } from "./verdict.ts";

export function totalLines(scores: Scores, { width, record, verbose, colors }: ReportScreen): string[] {
  const { run, targets } = scores;
  // Already shown beside the verdict.
  if (!verbose && asideFor(scores, width) !== undefined) return [];
  const sum = (pick: (stats: TrialStats) => number) =>
    targets.reduce((total, target) => total + pick(target.trials), 0);
  const parts = [
    count(
      sum((stats) => stats.total),
      "trial",
    ),
    `${sum((stats) => stats.cached)} cached${age(targets.map((target) => target.trials))}`,
  ];
  if (run.endedAt !== undefined) parts.push(timeText(Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt))));
  parts.push(...moneyParts(sum), ...memoryParts(targets.map((target) => target.trials)));
  const saved =
    run.saved.trials > 0
      ? [
          `saved by early stop: ${count(run.saved.trials, "trial")}${run.saved.usd === undefined ? "" : ` (${moneyText(run.saved.usd)})`}`,
        ]
      : [];
  const left = Object.entries(run.notAsked).filter(([reason, trials]) => trials > 0 && reason !== "early stop");
  const notAsked =
    left.length === 0
      ? []
      : [`not asked: ${left.map(([reason, trials]) => `${trials} (${oneLine(reason)})`).join(", ")}`];
  const lines = [[parts.join(", "), ...saved, ...notAsked, `record ${oneLine(record ?? run.id)}`].join(" · ")];
  const because = new Map<string, number>();
  for (const { reason, trials } of targets.flatMap((target) => target.trials.askedBecause))
    because.set(reason, (because.get(reason) ?? 0) + trials);
  const told = [...because]
    .slice(0, verbose ? 20 : 3)
    .map(([reason, trials]) => `${oneLine(reason)} (${count(trials, "trial")})`);
  if (told.length > 0) lines.push(`asked again: ${told.join(" · ")}`);
  return lines.flatMap((line) => wrap(line, width)).map((line) => colors.dim(line));
}

/** An unknown cost is unknown, not zero. */
function moneyParts(sum: (pick: (stats: TrialStats) => number) => number): string[] {
  const unknown = sum((stats) => stats.cost.unknown);
  const known = sum((stats) => stats.cost.known);
  const estimated = sum((stats) => stats.cost.estimated) > 0 ? " (estimated)" : "";
  const money = known === 0 ? [] : [`${moneyText(sum((stats) => stats.cost.usd))}${estimated}`];
  return unknown === 0 ? money : [...money, `cost of ${count(unknown, "trial")} unknown`];
}

function memoryParts(stats: TrialStats[]): string[] {
  const most = Math.max(0, ...stats.map(({ peakMemoryBytes }) => peakMemoryBytes ?? 0));
  return most === 0 ? [] : [`up to ${memoryText(most)} per trial`];
}

function age(stats: TrialStats[]): string {
  const oldest = stats.flatMap(({ oldestCached }) => (oldestCached === undefined ? [] : [oldestCached])).sort()[0];
  return oldest === undefined ? "" : ` (oldest ${oneLine(oldest.slice(0, 10))})`;
}

export function noteLines(notes: readonly Note[], agreement: NotedAgreement | null, width: number): string[] {
  const short = (value: number) => value.toFixed(2).replace(/^0\./, ".");
  const head =
    agreement === null
      ? []
      : wrap(
          `people agree with the judge on ${agreement.right} of ${questionsText(agreement)} [${short(agreement.low)}–${short(agreement.high)}]`,
          width,
        );
  const lines = notes.map(({ question, target, verdict, text }) => {
    const where = target === undefined ? "" : ` on ${oneLine(target)}`;
    return `note: ${oneLine(question)}${where}${verdict === undefined ? "" : ` is ${verdict}`}${text === "" ? "" : `: ${oneLine(text)}`}`;
  });
  return [
    ...head,
    ...lines.slice(0, 10).flatMap((line) => wrap(line, width)),
    ...(lines.length > 10 ? [`… and ${lines.length - 10} more notes`] : []),
  ];
}
