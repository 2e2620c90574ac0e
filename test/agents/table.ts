import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checks } from "./checks.ts";
import { dialects } from "./dialects.ts";
import { cases } from "./scenarios.ts";

/** What was seen, by CLI and by scenario. */
export type Results = Record<
  string,
  { version: string; rows: Record<string, { right: boolean; said: string; again?: boolean } | { why: string }> }
>;

const file = join(import.meta.dirname, "../../docs/agents.md");

/** Puts the results between the marks in docs/agents.md. What was not run this time stays as it is there, of the same version. */
export function writeTable(results: Results): void {
  const text = readFileSync(file, "utf8");
  replaced("matrix", tableOf(results, text));
  replaced("peer", peerTable(results, text).join("\n"));
}

/** The matrix, with what the page has already where nothing was seen; it never loses a CLI that the page has. */
export function tableOf(results: Results, text: string): string {
  const ids = dialects.map(({ id }) => id).filter((id) => results[id] !== undefined);
  const lost = headOf(text).filter((column) => !ids.includes(column.split(" ")[0] ?? ""));
  if (lost.length > 0)
    throw new Error(
      `The table in docs/agents.md stays as it is: there are no results of ${lost.join(", ")}. npm run test:agents -- --all has them all.`,
    );
  const names = [...cases, ...checks].map(({ name }) => name);
  return [
    row(["what the model did", ...ids.map((id) => `${id} ${results[id]!.version}`)]),
    row(["---", ...ids.map(() => "---")]),
    ...names.map((name) =>
      row([
        name,
        ...ids.map((id) => cell(results[id]!.rows[name], () => before(text, name, `${id} ${results[id]!.version}`))),
      ]),
    ),
  ].join("\n");
}

/** The cell of a row and a column as the table has it now. */
function before(text: string, name: string, column: string): string {
  const at = headOf(text).indexOf(column);
  return (at < 0 ? undefined : rowsOf(text).find(([first]) => first === name)?.[at + 1]) ?? NOT_RUN;
}

/** The CLIs that the table has, each with its version. */
function headOf(text: string): string[] {
  return (
    rowsOf(text)
      .find(([first]) => first === "what the model did")
      ?.slice(1) ?? []
  );
}

function rowsOf(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.slice(2, -2).split(" | "));
}

const NOT_RUN = "not run";

function cell(result: Results[string]["rows"][string] | undefined, otherwise = () => NOT_RUN): string {
  if (result === undefined) return otherwise();
  return "why" in result ? `— (${result.why})` : `${result.right ? "✓" : "✗"} ${result.said}`;
}

/** What skill-creator's run_eval.py reported for the same behaviour of the same CLI: measured, not guessed. */
const peer: [string, string, string, string][] = [
  ["1", "Skill(target) first", "trigger", "20/20"],
  ["2", "Bash, then Skill(target)", "trigger", "0/20"],
  ["3", "Read, Read, then Skill(target)", "trigger", "0/20"],
  ["4", "Skill(beta), then Skill(target)", "trigger", "0/20"],
  ["5", "text only", "none", "0/20"],
  ["6", "Skill(beta) only", "none", "0/20"],
  ["7a", "Skill(beta) with the target's name in its arguments", "none", "20/20"],
  ["8", "HTTP 401 on every request", "run failed", '0/10, as "no trigger"'],
  ["9", "HTTP 529 on every request", "run failed", '0/6, as "no trigger"'],
  ["10", "hang", "run failed", '0/6, as "no trigger"'],
  ["11b", "Read of the skill's SKILL.md", "trigger", "0/20"],
  ["x1", "Skill under its real name", "trigger", "0/20"],
  ["x2", "Bash and Skill(target) in one message", "trigger", "0/20"],
  ["x3", "Skill(beta) and Skill(target) in one message", "trigger", "0/20"],
  ["x4", "text, then Skill(target)", "trigger", "20/20"],
  ["x5", "cat of the skill's file", "trigger", "0/20"],
  ["x6", "stream cut in mid tool call", "run failed", '0/6, as "no trigger"'],
  ["x7", "Read of a file that does not exist, with the name in its path", "none", "20/20"],
  ["e9", "60 kB of text, then Skill(target)", "trigger", "20/20"],
];

function peerTable(results: Results, text: string): string[] {
  const rows = results["claude"]?.rows ?? {};
  const column = `claude ${results["claude"]?.version ?? ""}`;
  const parallel = cell(rows["16 in parallel"], () => before(text, "16 in parallel", column));
  return [
    row(["row", "what the model really did", "truth", "run_eval: runs reported as triggered", "Proctor"]),
    row(["---", "---", "---", "---", "---"]),
    ...peer.map(([id, did, truth, reported]) => {
      const name = cases.find((one) => one.peer?.includes(id))?.name ?? "";
      return row([id, did, truth, reported, cell(rows[name], () => before(text, name, column))]);
    }),
    row(["12e", "10 workers, always Skill(target)", "trigger", "8/60", parallel]),
  ];
}

function row(cells: string[]): string {
  return `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
}

function replaced(mark: string, content: string): void {
  const text = readFileSync(file, "utf8");
  const [begin, end] = [`<!-- ${mark}: begin (npm run test:agents -- --all) -->`, `<!-- ${mark}: end -->`];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  writeFileSync(file, `${text.slice(0, from)}\n\n${content}\n\n${text.slice(to)}`);
}
