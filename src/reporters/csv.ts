import { winnerOf } from "../exam/score/index.ts";
import type { ComparedRuns } from "../history/index.ts";
import type { Scores } from "../model/index.ts";
import { type Checked, shownPath } from "./checked.ts";
import { type RenderOptions, type Reporter, requireSource } from "./reporter.ts";
import { inconclusiveNow } from "./text/comparison.ts";

export const csv: Reporter = {
  name: "csv",
  about: "for spreadsheets: a row per question and target",
  render: renderCsv,
  compare: compareCsv,
  check: checkCsv,
};

export const csvTrials: Reporter = {
  name: "csv-trials",
  about: "for spreadsheets: a row per trial",
  render: trialRows,
};

const COLUMNS =
  "run,target,skill,kind,role,id,prompt,expected,verdict,status,flaky,hits,measured,planned,errors,rate,low,high,won,cause,why,file,line,tags";

function renderCsv({ run, targets }: Scores): string {
  const rows = targets.flatMap((target) =>
    target.questions.map((question) => {
      const {
        skill,
        kind,
        role,
        id,
        prompt,
        expected,
        verdict,
        status,
        flaky,
        hits,
        measured,
        planned,
        errors,
        rate,
        cause,
        why,
        source,
        tags,
      } = question;
      const won = question.won.length === 0 ? "" : winnerOf(question);
      return csvRow([
        run.id,
        target.id,
        skill,
        kind,
        role,
        id,
        prompt,
        expected.join(" + "),
        verdict,
        status,
        flaky,
        hits,
        measured,
        planned,
        errors,
        rate.value,
        rate.low,
        rate.high,
        won,
        cause,
        why,
        source.file,
        source.line,
        tags.join(" "),
      ]);
    }),
  );
  return `${COLUMNS}\r\n${rows.join("")}`;
}

function compareCsv({ targets, before, now }: ComparedRuns): string {
  const rows = targets.flatMap(({ comparison }) => {
    const row = (change: string) => (question: (typeof comparison.improved)[number]) =>
      csvRow([
        before.record.run,
        now.record.run,
        comparison.target,
        question.skill,
        question.id,
        question.prompt,
        change,
        question.verdict,
        winnerOf(question),
        question.why,
        question.source.file,
        question.source.line,
      ]);
    return [
      ...comparison.worsened.map(row("worse")),
      ...comparison.improved.map(row("better")),
      ...comparison.unsure.lost.map(row("cannot tell now")),
      ...inconclusiveNow(comparison).map(row("no verdict now")),
      ...comparison.unsure.fail.map(row("fails, undecided before")),
      ...comparison.unsure.pass.map(row("passes, undecided before")),
      ...comparison.unaskable.map(row("cannot be asked now")),
      ...comparison.only.before.map(row("only before")),
      ...comparison.only.now.map(row("only now")),
    ];
  });
  return `before,now,target,skill,id,prompt,change,verdict,won,why,file,line\r\n${rows.join("")}`;
}

function checkCsv({ problems, cwd }: Checked): string {
  const rows = problems.map(({ location, severity, code, message, fix }) =>
    csvRow([shownPath(location.file, cwd), location.line, location.column, severity, code, message, fix]),
  );
  return `file,line,column,severity,code,message,fix\r\n${rows.join("")}`;
}

async function* trialRows({ run }: Scores, options: RenderOptions): AsyncGenerator<string> {
  const prompts = new Map<string, string>();
  yield "run,target,ask,prompt,trial,started_at,ms,how,error,error_message,turns,activations,passed,failed,unchecked,cost_usd,input_tokens,output_tokens,cached_from\r\n";
  for await (const line of requireSource("csv-trials", options).lines()) {
    if (line.type === "question")
      for (const ask of [line.ask, ...Object.values(line.asks ?? {})]) prompts.set(ask, line.prompt);
    if (line.type !== "trial") continue;
    const count = (passed: boolean | null) => line.checks.filter((check) => check.passed === passed).length;
    const activations = line.activations.map(({ skill, evidence, turn }) => `${skill} ${evidence} ${turn}`).join("; ");
    yield csvRow([
      run.id,
      line.target,
      line.ask,
      prompts.get(line.ask),
      line.run,
      line.startedAt,
      line.ms,
      line.how,
      line.error?.reason,
      line.error?.message,
      line.turns,
      activations,
      count(true),
      count(false),
      count(null),
      line.costUsd,
      line.usage?.inputTokens,
      line.usage?.outputTokens,
      line.cached?.measuredAt,
    ]);
  }
}

/** One row according to RFC 4180. Text that a spreadsheet would read as a formula is prefixed with an apostrophe. */
export function csvRow(cells: readonly (string | number | boolean | null | undefined)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toFixed(6)));
  const text = String(value).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Surrogate}]/gu, "\ufffd");
  const safe = /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
