import { z } from "zod";
import type { Check } from "../../model/index.ts";
import { type ToolCall, type Transcript, toolKind } from "../../model/index.ts";
import { checked, notMade, skipped } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { isCheck, lastLines, programsOf } from "./programs.ts";
import { JAVASCRIPT, PYTHON } from "./run-assertions.ts";

/**
 * waza's `code`: expressions over `output`, `transcript`, `tool_calls`, `files`, `errors` and `duration_ms` that must
 * be true. They run in a separate process, in the trial's sandbox, with a time limit.
 */
export const code = defineGrader({
  type: "code",
  config: z.strictObject({
    assertions: z.array(z.string().min(1)).min(1, "There is no assertion"),
    language: z.enum(["javascript", "typescript", "python"]).default("python"),
    timeout: z.number().positive().max(600).default(10),
  }),
  startsPrograms: true,
  scoring: "mean",

  async grade({ assertions, language, timeout }, transcript, context) {
    const programs = programsOf(context);
    if (isCheck(programs)) return [programs];
    const isPython = language === "python";
    if (isPython && !programs.has("python3"))
      return [skipped("not run: it requires python3, which this machine does not have")];
    const expressions = language === "typescript" ? await withoutTypes(assertions) : assertions;
    if (typeof expressions === "string") return [notMade(expressions)];
    const ended = await programs.run({
      file: isPython ? "python3" : process.execPath,
      args: isPython ? ["-I", "-c", PYTHON] : ["--max-old-space-size=256", "-e", JAVASCRIPT],
      stdin: JSON.stringify({ assertions: expressions, variables: variables(transcript, context.ms) }),
      timeoutMs: timeout * 1000,
    });
    if (ended.status === "failed") return [notMade(`the assertions could not be decided: ${ended.why}`)];
    const results = resultsIn(ended.stdout, assertions.length);
    const said = lastLines("", ended.stderr);
    if (results === undefined)
      return [
        notMade(
          `the assertions ended their process (exit ${ended.code}) before they were decided${said === "" ? "" : `: ${said}`}`,
        ),
      ];
    return assertions.map((assertion, index) => resultCheck(assertion, results[index]));
  },
});

type Result = { status: "value"; value: boolean } | { status: "threw"; message: string };

function resultCheck(assertion: string, result: Result | undefined): Check {
  const shown = assertion.length <= 160 ? assertion : `${assertion.slice(0, 160)}…`;
  if (result === undefined) return notMade(`not decided: ${shown}`);
  if (result.status === "threw") return checked(false, `${shown} threw: ${result.message}`);
  return checked(result.value, `${shown} is ${result.value ? "true" : "not true"}`);
}

/** Reads only the last line, because an assertion may print a fake result before it. */
function resultsIn(stdout: string, count: number): Result[] | undefined {
  const line = stdout.trimEnd().split("\n").at(-1) ?? "";
  if (!line.startsWith(RESULTS)) return undefined;
  try {
    const results = JSON.parse(line.slice(RESULTS.length)) as Result[];
    return Array.isArray(results) && results.length === count ? results : undefined;
  } catch {
    return undefined;
  }
}

const RESULTS = "proctor-results ";

function variables({ finalText, texts, calls, turns, workspace, activations }: Transcript, ms: number | undefined) {
  return {
    output: finalText,
    transcript: texts.map(({ turn, text }) => ({ role: "assistant", turn, content: text })),
    tool_calls: calls.map(callVariable),
    skills: activations
      .filter(({ evidence }) => evidence !== "refused" && evidence !== "mentioned")
      .map(({ skill }) => skill),
    files: Object.fromEntries(
      (workspace?.files ?? []).flatMap(({ path, text, change }) =>
        change === "removed" || text === undefined ? [] : [[path, text]],
      ),
    ),
    errors: calls.filter(({ ok }) => ok === false).map(({ result }) => result ?? ""),
    turns,
    duration_ms: ms ?? null,
    outcome: {},
  };
}

function callVariable({ tool, input, ok, result, turn }: ToolCall) {
  return {
    name: tool,
    kind: toolKind(tool, input),
    arguments: input,
    args: input,
    success: ok ?? null,
    result: result ?? null,
    turn,
  };
}

/** Jiti is loaded on demand. It does not throw on syntax errors but marks them in the code it returns. */
async function withoutTypes(assertions: readonly string[]): Promise<string[] | string> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url);
  const scripts = assertions.map((source) =>
    jiti.transform({ source: `globalThis.$ = (${source}\n)`, ts: true, filename: "assertion.ts" }),
  );
  const wrong = scripts.findIndex((script) => script.includes("__JITI_ERROR__"));
  return wrong < 0 ? scripts : `an assertion is not valid TypeScript: ${assertions[wrong]}`;
}
