import { printable } from "../../../src/base/text/printable.ts";
import type { Rate } from "../../../src/model/score.ts";
import type { PageQuestion, PageResult } from "../../../src/reporters/html/page-data.ts";

/** Makes invisible and bidirectional characters of foreign text visible. Keeps line breaks. */
export function safe(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** The name of a case, since its prompt may be pages long. */
export function titleOf({ name, prompt }: PageQuestion): string {
  return name ?? prompt;
}

export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, " ").trim());
}

export function rateText({ value }: Rate): string {
  return value === null ? "—" : value.toFixed(2);
}

/** `[.45–.94]`; empty if there is nothing to estimate. */
export function intervalText({ low, high }: Pick<Rate, "low" | "high">): string {
  return low === null || high === null ? "" : `[${short(low)}–${short(high)}]`;
}

export function shareText({ value, n }: Rate): string {
  return value === null ? "—" : `${number(Math.round(value * n))}/${number(n)}`;
}

export function whole(rate: Rate, name: string): string {
  if (rate.value === null) return `${name}: not measured`;
  return `${name} ${rateText(rate)}${rate.low === null ? "" : `, 95 % interval ${intervalText(rate)}`}, n = ${number(rate.n)}`;
}

function short(value: number): string {
  return value.toFixed(2).replace(/^0\./, ".");
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Shared, because creating one is slow. */
const numbers = new Intl.NumberFormat("en");

/** `1,302`, with the same separator in every locale. */
export function number(n: number): string {
  return numbers.format(n);
}

export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${number(n)} ${n === 1 ? noun : plural}`;
}

export function money(usd: number): string {
  if (usd === 0) return "$0";
  if (usd < 0.0001) return "under $0.0001";
  return usd >= 0.01 ? `$${usd.toFixed(2)}` : `$${Number(usd.toPrecision(2))}`;
}

export function time(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 5_400_000) return `${Math.round(ms / 60_000)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}

/** `16 Nov 2026, 10:42`, in the reader's time zone. */
export function moment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return oneLine(iso);
  return date.toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

export const VERDICTS: Record<string, string> = {
  fail: "fails",
  pass: "passes",
  unsure: "cannot tell",
  inconclusive: "no verdict",
  skipped: "skipped",
};

export const RUN_WORDS: Record<string, string> = {
  "+": "right",
  "-": "wrong",
  "?": "cannot tell",
  "!": "error",
  ".": "not asked",
};

/** What the question expects of its own skill. */
export function expectation(question: PageQuestion): string {
  if (question.kind === "case") return "should pass its checks";
  const names = question.expected.map(oneLine).join(" + ");
  if (question.role === "positive")
    return question.expected.length === 1 && question.expected[0] === question.skill
      ? "should activate"
      : `should activate ${names}`;
  if (question.positive) return `should go to ${names}`;
  return question.skill === undefined ? "no skill should fire" : "should stay silent";
}

/** `2 of 3 right`, with errors listed separately. */
export function runsText({ runs }: Pick<PageResult, "runs">): string {
  const of = (sign: string) => [...runs].filter((run) => run === sign).length;
  const [right, wrong, open, errors] = [of("+"), of("-"), of("?"), of("!")];
  const parts = [
    right + wrong > 0 ? `${right} of ${right + wrong} right` : "",
    open > 0 ? `cannot tell for ${open}` : "",
    errors > 0 ? count(errors, "error") : "",
  ];
  return parts.filter((part) => part !== "").join(", ") || "not asked";
}

export function place({ source }: PageQuestion): string {
  return oneLine(source.line === undefined ? source.file : `${source.file}:${source.line}`);
}
