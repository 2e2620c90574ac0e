import type picocolors from "picocolors";
import { count, displayWidth } from "../../base/index.ts";
import type { ProgressSnapshot, TargetProgress } from "../../exam/ask/index.ts";
import type { WorkerProgress } from "../../exam/grade/index.ts";
import { errorLabel } from "../../exam/score/index.ts";
import { ERROR_REASONS } from "../../model/index.ts";
import { oneLine, pad, truncate } from "../text/fit-text.ts";
import { moneyText } from "../text/numbers.ts";

export function progressLines(
  snapshot: ProgressSnapshot,
  clock: ProgressClock,
  width: number,
  colors: ReturnType<typeof picocolors.createColors>,
): string[] {
  const label = Math.min(28, Math.max(14, ...snapshot.targets.map(({ id }) => oneLine(id).length)));
  const lines = snapshot.targets.flatMap((target) => {
    const facts = progressFacts(target, snapshot, clock);
    const line = truncate(fitting(target, pad(oneLine(target.id), label), facts, width), width);
    if (facts.errors.length === 0) return [line];
    // Reasons of errors are always shown, on a line of their own if the first has no room.
    const reasons = facts.errors.filter((text) => !line.includes(text)).map((text) => truncate(`  ${text}`, width));
    return [line, ...reasons].map((text) => colors.yellow(text));
  });
  for (const line of snapshot.workers === undefined ? [] : workerLines(snapshot.workers, label))
    lines.push(truncate(line, width));
  const notes: string[] = [];
  const { saved, cached } = snapshot;
  if (saved.trials > 0)
    notes.push(
      `saved by early stop: ${count(saved.trials, "trial")}${saved.usd === undefined ? "" : ` (${moneyText(saved.usd)})`}`,
    );
  if (cached > 0) notes.push(`cached: ${cached}`);
  return notes.length === 0 ? lines : [...lines, colors.dim(truncate(notes.join(" · "), width))];
}

const MOST_WORKERS = 6;

function workerLines(workers: readonly WorkerProgress[], label: number): string[] {
  const lines = [`${pad("workers", label)}  ${workersText(workers)}`];
  if (workers.length === 0) return lines;
  const shown = [...workers].sort((a, b) => (b.oldest?.ms ?? -1) - (a.oldest?.ms ?? -1)).slice(0, MOST_WORKERS);
  const width = Math.max(...shown.map(({ name }) => displayWidth(oneLine(name))));
  for (const { name, running, slots, oldest } of shown) {
    const doing =
      oldest === undefined
        ? "idle"
        : `${oneLine(oldest.target)}  "${truncate(oneLine(oldest.prompt), 60)}"  ${timeText(oldest.ms)}`;
    lines.push(`  ${pad(oneLine(name), Math.max(width, label - 2))}  ${running}/${slots}  ${doing}`);
  }
  if (workers.length > shown.length) lines.push(`  and ${workers.length - shown.length} more`);
  return lines;
}

export function workersText(workers: readonly WorkerProgress[]): string {
  if (workers.length === 0) return "none at the moment";
  const sum = (of: (worker: WorkerProgress) => number) => workers.reduce((total, worker) => total + of(worker), 0);
  return `${workers.length}, ${sum(({ running }) => running)} of ${count(
    sum(({ slots }) => slots),
    "slot",
  )} busy`;
}

/**
 * As space runs out, drops the bar first, then what is running, the reasons of errors, and the time. Verdicts, cost and
 * errors stay.
 */
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
  const tight = [signs, []].map((marks) =>
    `${drawn(0)} ${[done, ...marks, ...short, cost].join(" ")}`.replace(/ {2,}/g, " "),
  );
  return [...forms, ...tight].find((text) => displayWidth(text) <= width) ?? tight.at(-1) ?? "";
}

function bar({ done, total }: TargetProgress, width: number): string {
  const full = total === 0 ? width : Math.min(width, Math.floor((done / total) * width));
  return "█".repeat(full) + "░".repeat(width - full);
}

interface ProgressFacts {
  done: string;
  verdicts: string[];
  running: string[];
  errors: string[];
  cost: string;
  time: string;
}

export function progressFacts(
  target: TargetProgress,
  { budgetUsd, workers }: ProgressSnapshot,
  clock: ProgressClock,
): ProgressFacts {
  const { done, total, passed, failed: questions, running, errors, retries, spentUsd } = target;
  const reasons = Object.entries(errors).filter(([, n]) => n > 0);
  const failed = reasons.reduce((sum, [, n]) => sum + n, 0);
  const retried = retries > 0 ? `, ${retries} retried` : "";
  const left = clock.left(target);
  const elapsed = clock.elapsed();
  const spent =
    spentUsd === null
      ? "cost unknown"
      : `${moneyText(spentUsd)}${budgetUsd === undefined ? "" : ` of ${moneyText(budgetUsd)}`}`;
  return {
    done: `${done}/${count(total, "trial")}`,
    verdicts: passed + questions > 0 ? [`${passed} passed, ${questions} failed`] : [],
    // With workers, some of these wait for the next free slot.
    running: running > 0 ? [`${running} ${workers === undefined ? "running" : "handed out"}`] : [],
    errors:
      failed > 0
        ? [`${count(failed, "error")} (${reasons.map(([reason]) => wordsFor(reason)).join(", ")}${retried})`]
        : [],
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

export class ProgressClock {
  readonly now: () => number;
  readonly start: number;
  readonly #first = new Map<string, number>();

  constructor(now: () => number) {
    this.now = now;
    this.start = now();
  }

  /** Trials of an earlier process (in a resumed run) say nothing about the pace. */
  see({ targets }: ProgressSnapshot): void {
    for (const { id, done } of targets) if (!this.#first.has(id)) this.#first.set(id, done);
  }

  elapsed(): number {
    return this.now() - this.start;
  }

  left({ id, done, total }: TargetProgress): number | null {
    const since = done - (this.#first.get(id) ?? 0);
    const elapsed = this.now() - this.start;
    return since < 3 || elapsed < 2000 || done >= total ? null : (elapsed / since) * (total - done);
  }
}
