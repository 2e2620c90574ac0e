import { count } from "../../base/index.ts";
import type { Rate } from "../../model/index.ts";

/** `0.60 [.23–.88]`, or a dash if not measured. */
export function rateText(rate: Rate): string {
  return rate.value === null ? "—" : `${rate.value.toFixed(2)}${intervalText(rate)}`;
}

/** `4/5 [.31–.99]`, or `0.87 of 5 [.45–.99]` for a mean over several runs of each. */
export function portionText(rate: Rate): string {
  if (rate.value === null) return "—";
  const hits = rate.value * rate.n;
  const whole = Math.abs(hits - Math.round(hits)) < 1e-6;
  return `${whole ? `${Math.round(hits)}/${rate.n}` : `${rate.value.toFixed(2)} of ${rate.n}`}${intervalText(rate)}`;
}

export function shareText(rate: Rate): string {
  return rate.value === null ? "—" : `${Math.round(rate.value * rate.n)}/${rate.n}${intervalText(rate)}`;
}

export function questionsText({ n, prompts }: { n: number; prompts: number }): string {
  return prompts < n ? `${count(n, "question")} on ${count(prompts, "prompt")}` : count(n, "question");
}

/** `+0.12 [−.02 to +.25]` */
export function differenceText({ value, low, high }: { value: number; low: number; high: number }): string {
  return `${signed(value, value.toFixed(2))} [${signed(low, short(Math.abs(low)))} to ${signed(high, short(Math.abs(high)))}]`;
}

function signed(value: number, text: string): string {
  const digits = text.replace(/^-/, "");
  if (/^[0.]*$/.test(digits)) return digits;
  return `${value < 0 ? "−" : "+"}${digits}`;
}

/** ` [.23–.88]`, or "" without an interval. */
export function intervalText({ low, high }: Pick<Rate, "low" | "high">): string {
  return low === null || high === null ? "" : ` [${short(low)}–${short(high)}]`;
}

function short(value: number): string {
  return value.toFixed(2).replace(/^0\./, ".");
}

export function moneyText(usd: number): string {
  if (usd === 0 || usd >= 0.01) return usd === 0 ? "$0" : `$${usd.toFixed(2)}`;
  return usd < 0.0001 ? "under $0.0001" : `$${Number(usd.toPrecision(2))}`;
}

export function timeText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 5_400_000) return `${Math.round(ms / 60_000)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}

export function memoryText(bytes: number): string {
  return bytes < 1e9 ? `${Math.max(1, Math.round(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Six decimals; further digits are floating-point noise. */
export function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toFixed(6)) : value;
}
