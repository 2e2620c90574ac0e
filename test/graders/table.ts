import { expect, test } from "vitest";
import { checkGrader, type GradingContext, gradeQuestion, type Judge, type Programs } from "../../src/graders/index.ts";
import type { GraderSpec, LeftFile, ToolCall, Transcript } from "../../src/model/index.ts";

/** What happened in a trial, as short as a table can say it. */
export interface Happened {
  reply?: string;
  /** A text is a file that was added; null one that was removed; otherwise as it is. */
  files?: Record<string, string | null | Partial<LeftFile>>;
  cut?: string;
  calls?: (Partial<ToolCall> & { tool: string })[];
  usage?: Transcript["usage"];
  /** Skills. */
  fired?: string[];
  turns?: number;
}

export function transcript({ reply = "", files, cut, calls = [], usage, turns = 1, fired = [] }: Happened): Transcript {
  const activations = fired.map((skill) => ({ skill, turn: 1, evidence: "loaded" as const }));
  const outcome = { status: "activations" as const, activations };
  const made = calls.map((call, index) => ({ turn: 1, id: String(index), input: {}, ok: true, ...call }));
  const left = files && {
    files: Object.entries(files).map(([path, left]) => fileOf(path, left)),
    ...(cut !== undefined && { cut }),
  };
  const texts = [{ turn: 1, text: reply }];
  return {
    outcome,
    activations,
    calls: made,
    texts,
    finalText: reply,
    turns,
    how: "completed",
    usage,
    workspace: left,
  };
}

function fileOf(path: string, left: string | null | Partial<LeftFile>): LeftFile {
  if (left === null) return { path, change: "removed", kind: "file" };
  if (typeof left === "string") return { path, change: "added", kind: "file", text: left, bytes: left.length };
  return { path, change: "added", kind: "file", ...left };
}

/** One row: what comes out, of which configuration, of what happened, and the message a person reads. */
export type Row =
  | ["passes" | "fails" | "skipped" | "error", unknown, Happened, string | RegExp, Partial<GradingContext>?]
  | ["refused", unknown, string | RegExp]
  /** It cannot come to this, and why. */
  | ["never", "skipped" | "error", string];

export const tabled = new Set<string>();

const ENDS = ["passes", "fails", "skipped", "error", "refused"] as const;

/** The table of one grader: passes, fails, skipped, error (the question has no verdict) and bad configuration. */
export function table(type: string, rows: Row[]): void {
  tabled.add(type);
  test(`${type}: every way it can end is in its table`, () => {
    const there = rows.map((row) => (row[0] === "never" ? row[1] : row[0]));
    expect(ENDS.filter((end) => !there.includes(end))).toEqual([]);
    for (const row of rows) if (row[0] === "never") expect(rows.map(([end]) => end)).not.toContain(row[1]);
  });
  const shown = rows.filter((row): row is Exclude<Row, ["never", ...unknown[]]> => row[0] !== "never");
  test.each(shown.map((row, index) => [`${row[0]} ${index + 1}`, row] as const))(`${type}: %s`, async (_name, row) => {
    const said = row[0] === "refused" ? row[2] : row[3];
    const matcher = typeof said === "string" ? expect.stringContaining(said) : expect.stringMatching(said);
    if (row[0] === "refused") {
      const checked = checkGrader({ type, config: row[1] }, "/nowhere/suite");
      expect(checked.status).toBe("rejected");
      if (checked.status === "rejected")
        expect(
          checked.rejections
            .map(({ path, message }) => [path.join("."), message].filter((part) => part !== "").join(": "))
            .join("; "),
        ).toEqual(matcher);
      return;
    }
    const [wanted, config, happened, , context] = row;
    expect(checkGrader({ type, config })).toMatchObject({ status: "usable" });
    // Beside one that passes: what is skipped leaves it alone, what is an error does not.
    const beside: GraderSpec = { type: "min_tokens", config: { value: 0 } };
    const graded = await gradeQuestion([{ type, config }, beside], transcript(happened), {
      prompt: "Do it.",
      ...context,
    });
    const [part] = graded.parts;
    expect({ passed: graded.passed, part: part?.passed }).toEqual({
      passed: { passes: true, fails: false, skipped: true, error: null }[wanted],
      part: {
        passes: true,
        fails: false,
        skipped: null,
        error: part?.checks.some(({ passed }) => passed !== null) ? part.passed : null,
      }[wanted],
    });
    expect(part?.checks.map(({ message }) => message).join("; ")).toEqual(matcher);
  });
}

/** A judge that says these things, one after the other, and remembers what it was asked. */
export function judge(...replies: string[]): { judge: Judge; asked: Parameters<Judge>[0][] } {
  const asked: Parameters<Judge>[0][] = [];
  return {
    asked,
    judge: async (request) => {
      asked.push(request);
      return { text: replies[asked.length - 1] ?? replies.at(-1) ?? "" };
    },
  };
}

/** Programs that all end so; `here` is what is on PATH. */
export function programs(
  ended: Awaited<ReturnType<Programs["run"]>>,
  here: string[] = [],
): Programs & { asked: Parameters<Programs["run"]>[0][] } {
  const asked: Parameters<Programs["run"]>[0][] = [];
  return {
    asked,
    has: (command) => here.includes(command),
    run: async (request) => {
      asked.push(request);
      return ended;
    },
  };
}
