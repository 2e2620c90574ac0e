import type picocolors from "picocolors";
import { count, displayWidth } from "../../base/index.ts";
import { errorLabel } from "../../scores/index.ts";
import type { ProgressSnapshot, TargetProgress } from "../../sitting/index.ts";
import { ERROR_REASONS } from "../../transcripts/index.ts";
import { oneLine, pad, truncate } from "../text/fit-text.ts";
import { moneyText } from "../text/numbers.ts";
import type { ProgressClock } from "./clock.ts";

/** One line per target, and a last one on what was saved. */
export function progressLines(
  snapshot: ProgressSnapshot,
  clock: ProgressClock,
  width: number,
  colors: ReturnType<typeof picocolors.createColors>,
): string[] {
  const label = Math.min(28, Math.max(14, ...snapshot.targets.map(({ id }) => oneLine(id).length)));
  const lines = snapshot.targets.map((target) => {
    const line = truncate(fitting(target, pad(oneLine(target.id), label), progressFacts(target, snapshot, clock), width), width);
    return Object.keys(target.errors).length > 0 ? colors.yellow(line) : line;
  });
  if (snapshot.workers !== undefined) lines.push(truncate(workersLine(snapshot.workers, label), width));
  const notes: string[] = [];
  const { saved, cached } = snapshot;
  if (saved.trials > 0)
    notes.push(`saved by early stop: ${count(saved.trials, "trial")}${saved.usd === undefined ? "" : ` (${moneyText(saved.usd)})`}`);
  if (cached > 0) notes.push(`cached: ${cached}`);
  return notes.length === 0 ? lines : [...lines, colors.dim(truncate(notes.join(" · "), width))];
}

/** Who makes the trials, and how many each has in hand. */
function workersLine(workers: NonNullable<ProgressSnapshot["workers"]>, label: number): string {
  const each = workers.map(({ name, running, slots }) => `${oneLine(name)} ${running}/${slots}`);
  return `${pad("workers", label)}  ${each.length === 0 ? "none at the moment" : `${each.length}: ${each.join(" · ")}`}`;
}

/** The bar gives way first, then what is running, then the reasons of errors, and the time: verdicts, cost and errors stay in sight. */
function fitting(
  target: TargetProgress,
  label: string,
  { done, verdicts, running, errors, cost, time }: ProgressFacts,
  width: number,
): string {
  const short = errors.map((text) => text.replace(/ \(.*\)$/, ""));
  const drawn = (bars: number) => (bars === 0 ? label.trimEnd() : `${label}  ${bar(target, bars)}`);
  const forms = [
    [drawn(19), done, ...verdicts, ...running, ...errors, cost, time],
    [drawn(10), done, ...verdicts, ...running, ...errors, cost, time],
    [drawn(10), done, ...verdicts, ...errors, cost, time],
    [drawn(0), done, ...verdicts, ...errors, cost, time],
    [drawn(0), done, ...verdicts, ...short, cost, time],
    [drawn(0), done, ...verdicts, ...short, cost],
  ].map(([head, ...rest]) => `${head}  ${rest.join("   ")}`);
  const signs = verdicts.map((text) => text.replace(" passed,", "✓").replace(" failed", "✗"));
  const tight = [signs, []].map((marks) => `${drawn(0)} ${[done, ...marks, ...short, cost].join(" ")}`.replace(/ {2,}/g, " "));
  return [...forms, ...tight].find((text) => displayWidth(text) <= width) ?? tight.at(-1) ?? "";
}

function bar({ done, total }: TargetProgress, width: number): string {
  const full = total === 0 ? width : Math.min(width, Math.floor((done / total) * width));
  return "█".repeat(full) + "░".repeat(width - full);
}

/** What a line says about a target, each part empty when there is nothing to say. */
interface ProgressFacts {
  done: string;
  /** What has passed and failed so far. */
  verdicts: string[];
  running: string[];
  errors: string[];
  cost: string;
  /** How long it has taken, and will. */
  time: string;
}

export function progressFacts(target: TargetProgress, { budgetUsd }: ProgressSnapshot, clock: ProgressClock): ProgressFacts {
  const { done, total, passed, failed: questions, running, errors, retries, spentUsd } = target;
  const reasons = Object.entries(errors).filter(([, n]) => n > 0);
  const failed = reasons.reduce((sum, [, n]) => sum + n, 0);
  const retried = retries > 0 ? `, ${retries} retried` : "";
  const left = clock.left(target);
  const elapsed = clock.elapsed();
  const spent =
    spentUsd === null ? "cost unknown" : `${moneyText(spentUsd)}${budgetUsd === undefined ? "" : ` of ${moneyText(budgetUsd)}`}`;
  return {
    done: `${done}/${count(total, "trial")}`,
    verdicts: passed + questions > 0 ? [`${passed} passed, ${questions} failed`] : [],
    running: running > 0 ? [`${running} running`] : [],
    errors: failed > 0 ? [`${count(failed, "error")} (${reasons.map(([reason]) => wordsFor(reason)).join(", ")}${retried})`] : [],
    cost: spent,
    time: left === null ? timeText(elapsed) : `${timeText(elapsed)}, about ${timeText(left)} left`,
  };
}

function wordsFor(reason: string): string {
  const known = ERROR_REASONS.find((one) => one === reason);
  return known === undefined ? oneLine(reason) : errorLabel(known);
}

function timeText(ms: number): string {
  return ms < 60_000 ? `${Math.max(ms > 0 ? 1 : 0, Math.round(ms / 1000))} s` : `${Math.round(ms / 60_000)} min`;
}
