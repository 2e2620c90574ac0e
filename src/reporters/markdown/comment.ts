import { count, printable } from "../../base/index.ts";
import type { GateResult, QuestionScore } from "../../model/index.ts";
import { truncate } from "../text/fit-text.ts";
import { titleOf } from "../text/questions.ts";

/** Lines per section; together they stay below the comment's limit. */
export const MOST = { targets: 8, worst: 5, folded: 20, since: 3, gates: 6, flows: 5, differences: 6 };
const LINES = 60;
const CHARACTERS = 65_000;

/** Cuts a pull request comment to 60 lines and 65,536 characters. */
export function comment(lines: readonly string[]): string {
  const kept: string[] = [];
  let size = 0;
  for (const line of lines) {
    if (kept.length >= LINES - 2 || size + line.length > CHARACTERS) {
      const isOpen = kept.some((one) => one.startsWith("<details>")) && !kept.includes("</details>");
      kept.push(isOpen ? "</details>" : "…");
      break;
    }
    kept.push(line);
    size += line.length + 1;
  }
  return `${kept.join("\n")}\n`;
}

export function gateList(gates: readonly (Omit<GateResult, "gate"> & { gate: { text: string } })[]): string[] {
  if (gates.length === 0) return [];
  const mark = { met: "✅", breached: "❌", unmeasured: "❔" };
  const ordered = gates.toSorted((a, b) => Number(a.status === "met") - Number(b.status === "met"));
  const shown = ordered
    .slice(0, MOST.gates)
    .map(({ gate, status, message }) => `- ${mark[status]} ${asCode(gate.text, 80)}: ${asCode(message, 160)}`);
  const more = gates.length - shown.length;
  return ["", ...shown, ...(more > 0 ? [`- … and ${more} more`] : [])];
}

interface ListedQuestion {
  question: QuestionScore;
  target: string;
}

export function listOf(
  title: string,
  shown: readonly ListedQuestion[],
  several: boolean,
  all = shown.length,
): string[] {
  if (shown.length === 0) return [];
  const more = all - shown.length;
  return [
    "",
    `**${title}**`,
    ...shown.map((one) => itemOf(one, several)),
    ...(more > 0 ? [`- … and ${more} more`] : []),
  ];
}

export function folded(failures: readonly ListedQuestion[], several: boolean): string[] {
  if (failures.length === 0) return [];
  const shown = failures.slice(0, MOST.folded);
  const more = failures.length - shown.length;
  return [
    "",
    `<details><summary>${count(failures.length, "more failure")}</summary>`,
    "",
    ...shown.map((failure) => itemOf(failure, several)),
    ...(more > 0 ? [`- … and ${more} more: the report has them all`] : []),
    "",
    "</details>",
  ];
}

function itemOf({ question, target }: ListedQuestion, several: boolean): string {
  const { skill = "library", why = "", source, kind, role } = question;
  const place = source.line === undefined ? source.file : `${source.file}:${source.line}`;
  const asked = kind === "case" ? "should do" : role === "positive" ? "should fire on" : "should stay silent on";
  return `- ${asCode(skill, 60)} ${asked} ${asCode(titleOf(question), 120)}${several ? ` (${asCode(target, 60)})` : ""}${why === "" ? "" : `: ${asCode(why, 200)}`} · ${asCode(place, 120)}`;
}

/** Untrusted text as inline code, in which markup, links, mentions and HTML have no effect. Cut to `most` columns. */
export function asCode(text: string, most = 120): string {
  const line = truncate(printable(text.replace(/\s+/g, " ").trim()), most);
  if (line === "") return "` `";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const padded = line.startsWith("`") || line.endsWith("`") ? ` ${line} ` : line;
  return `${fence}${padded}${fence}`;
}

/** Inline code in a table, where even there a bar would end the cell. */
export function asCell(text: string, most?: number): string {
  return asCode(text, most).replaceAll("|", "\\|");
}
