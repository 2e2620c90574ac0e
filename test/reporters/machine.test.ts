import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { compareTargets, regressions } from "../../src/exam/score/index.ts";
import type { ComparedRuns } from "../../src/history/index.ts";
import type { RecordLine } from "../../src/model/index.ts";
import { csvRow } from "../../src/reporters/csv.ts";
import {
  type Checked,
  parseReporters,
  pieces,
  renderPieces,
  renderReport,
  reporterNames,
} from "../../src/reporters/index.ts";
import { asCell, asCode } from "../../src/reporters/markdown/comment.ts";
import { claude, failedTrial, fired, footer, header, negative, positive, score, trial } from "../score/build.ts";
import { scene, scenes } from "./scenes.ts";

const hostile = [
  "::error file=x::owned",
  "</testcase><script>alert(1)</script>&amp;",
  "]]> & \"quotes\" 'single' \u0000\u0008\u001b[31m \uFFFE",
  "| a | b |\n|---|---|\n`` ` ```",
  "@everyone [link](https://evil.example) ![img](x) <img src=x onerror=1> #1 https://evil.example",
  '=HYPERLINK("http://evil")',
  "+1+cmd|' /C calc'!A0",
  "\r\n::stop-commands::x\r\n%0A::error::y",
  "\u202Egnp.exe \ud800 x",
  "\u009b31m red \u2066turned\u2069 zero\u200bwidth",
];

/** Every hostile text as a skill, a prompt, a message and a file; one passes, one fails, one is an error, one was not asked. */
function hostileLines(): RecordLine[] {
  const questions = hostile.flatMap((text, index) => [
    positive(`p${index} ${text}`, text, {
      prompt: text,
      source: { file: `evals/${text}.yaml`, line: index + 1 },
      tags: [text],
    }),
    negative(`n${index} ${text}`, text, { prompt: `not ${text}`, source: { file: "evals/a.yaml", line: index + 1 } }),
    positive(`e${index} ${text}`, text, { prompt: `error ${text}` }),
    positive(`u${index} ${text}`, text, { prompt: `unasked ${text}` }),
  ]);
  const trials = questions.flatMap((question, index) => {
    const text = hostile[Math.floor(index / 4)]!;
    if (index % 4 === 0) return [trial(question, 1, fired(hostile[(Math.floor(index / 4) + 1) % hostile.length]!))];
    if (index % 4 === 1) return [trial(question, 1, [])];
    return index % 4 === 2
      ? [failedTrial(question, 1, "api", { error: { reason: "api", message: text, retryable: false } })]
      : [];
  });
  return [
    header({
      skills: hostile,
      targets: [claude],
      library: { name: hostile[1]!, root: "/nowhere", fingerprint: "f", skills: [] },
    }),
    ...questions,
    ...trials,
    footer,
  ];
}

const lines = hostileLines();
const scores = score(lines);
const source = {
  async *lines() {
    yield* lines;
  },
  transcript: async () => undefined,
  place: { run: "2026-11-15-a", dir: "/nowhere", file: "/nowhere/record.jsonl" },
};

async function rendered(name: string): Promise<string> {
  let text = "";
  for await (const piece of renderPieces(name, scores, { source, width: 100 })) text += piece;
  return text;
}

/** The same run against one in which everything passed, and a gate of a hostile name. */
const before = score(
  lines.map((line) => {
    if (line.type !== "trial" || line.error !== undefined) return line;
    const early = { ...line, startedAt: "2026-11-14T10:00:00.000Z" };
    const [check] = line.checks;
    return check === undefined ? early : { ...early, checks: [{ ...check, passed: true, score: 1 }] };
  }),
);
const comparison = compareTargets(before.targets[0]!, scores.targets[0]!, true);
const compared: ComparedRuns = {
  before: { record: source.place, scores: before, revision: hostile[4]!, leftOut: hostile },
  now: { record: { ...source.place, run: "2026-11-15-b" }, scores },
  differences: { edited: hostile, added: [], removed: [], suite: false, options: [], rules: [], proctor: undefined },
  targets: [
    {
      comparison,
      changes: hostile,
      causes: ["the skills", "the target"],
      regressions: regressions(comparison),
      visible: null,
    },
  ],
  only: { before: hostile, now: [] },
  gates: [],
  exitCode: 1,
  allowPredicted: false,
};
const checked: Checked = {
  cwd: "/nowhere",
  problems: hostile.map((text, index) => ({
    code: "skill/unquoted-colon",
    severity: (["error", "warning", "info"] as const)[index % 3]!,
    message: text,
    fix: text,
    location: { file: `/nowhere/skills/${text.replaceAll("/", "")}/SKILL.md`, line: 1, column: 1 },
  })),
  fixed: [],
  rules: [{ code: "skill/unquoted-colon", severity: "error", summary: "An unquoted colon." }],
  ...{ skills: 1, copies: 0, suites: 1, questions: 1, seconds: 0 },
};

test("the comparison that is rendered below has questions that got worse", () => {
  expect(comparison.worsened).toHaveLength(hostile.length);
});

describe("two runs, and the problems of a check, are shown by the same reporters", () => {
  const all = reporterNames().flatMap((name) => parseReporters(name));
  test.each(all.filter(({ reporter }) => reporter.compare !== undefined))(
    "$name of two runs: the same bytes twice, no control character",
    async ({ reporter }) => {
      const text = async () => {
        let whole = "";
        for await (const piece of pieces(reporter.compare!(compared, { width: 100 }))) whole += piece;
        return whole;
      };
      const first = await text();
      expect(await text()).toBe(first);
      expect(first).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
    },
  );
  test.each(all.filter(({ reporter }) => reporter.check !== undefined))(
    "$name of a check: the same bytes twice, no control character",
    ({ reporter }) => {
      const first = reporter.check!(checked, {});
      expect(reporter.check!(checked, {})).toBe(first);
      expect(first).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
    },
  );
});

test.each(reporterNames().filter((name) => name !== "html"))(
  "%s: the same record gives the same bytes, and no control character",
  async (name) => {
    const text = await rendered(name);
    expect(await rendered(name)).toBe(text);
    expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
  },
);

describe("junit", () => {
  const published = process.env["PROCTOR_JUNIT_XSD"];
  const schemas = ["test/reporters/junit.xsd", ...(published === undefined ? [] : published.split(delimiter))];
  const validate = async (xml: string) => {
    const found: string[] = [];
    for (const file of schemas) {
      const schema = { fileName: "junit.xsd", contents: readFileSync(file, "utf8") };
      const { errors } = await validateXML({ xml: [{ fileName: "report.xml", contents: xml }], schema: [schema] });
      found.push(...errors.map(({ message }) => message));
    }
    return found;
  };

  test("a question that was not asked is an error like one without a verdict: nothing is known of either", () => {
    const kinds = [...renderReport("junit", scores).matchAll(/<error type="([^"]*)"/g)].map(([, kind]) => kind);
    expect(kinds.filter((kind) => kind === "not asked")).toHaveLength(hostile.length);
    expect(kinds.filter((kind) => kind === "error")).toHaveLength(hostile.length);
    expect(renderReport("junit", scores)).not.toContain("<skipped");
  });

  test("is what the schema of CI systems says, whatever is in the record", async () => {
    expect(await validate(renderReport("junit", scores))).toEqual([]);
    expect(await validate(renderReport("junit", scenes["two targets"]!()))).toEqual([]);
    const reporter = parseReporters("junit")[0]!.reporter;
    expect(await validate(reporter.compare!(compared, {}) as string)).toEqual([]);
    expect(await validate(reporter.check!(checked, {}))).toEqual([]);
    expect(await validate(reporter.check!({ ...checked, problems: [] }, {}))).toEqual([]);
    expect(await validate("<testsuites><testsuite tests='x'/></testsuites>")).not.toEqual([]);
  });

  test("has a suite per skill and target, failures with their reason, errors as errors and skipped as skipped", () => {
    const [failing, broken, left] = [
      positive("a", "refund"),
      positive("b", "refund"),
      positive("c", "refund", { skipped: { [claude.id]: "no tools" }, runs: 0 }),
    ];
    const xml = renderReport(
      "junit",
      score([header(), failing, broken, left, trial(failing, 1, fired("faq")), failedTrial(broken, 1, "auth"), footer]),
    );
    expect(xml).toContain('<testsuite name="refund on claude:haiku" tests="3" failures="1" errors="1" skipped="1"');
    expect(xml).toContain('<failure type="sibling" message="faq was loaded instead, on turn 1.">');
    expect(xml).toMatch(/<error type="error" message="1 of 1 trials ended in an error: .*the auth message/);
    expect(xml).toContain('<skipped message="skipped: no tools"/>');
  });
});

test("sarif is valid SARIF 2.1.0", () => {
  const schema = createRequire(import.meta.url)("schemastore/schemas/json/sarif-2.1.0.json") as object;
  const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
  const log = JSON.parse(renderReport("sarif", scores, { workspace: "a b/c" }));
  expect(validate(log) || validate.errors).toBe(true);
  expect(log.runs[0].results).toHaveLength(hostile.length);
  expect(log.runs[0].results[1].locations[0].physicalLocation.artifactLocation.uri).toMatch(/^a%20b\/c\/evals\/%3C/);
  expect(validate({ ...log, version: "3" })).toBe(false);
  const two = JSON.parse(parseReporters("sarif")[0]!.reporter.compare!(compared, {}) as string);
  expect(validate(two) || validate.errors).toBe(true);
  expect(two.runs[0].results.map(({ baselineState }: { baselineState: string }) => baselineState)).toEqual(
    hostile.map(() => "new"),
  );
});

test.each([
  ["sarif", (text: string) => text],
  [
    "gitlab",
    (text: string) =>
      JSON.parse(text)
        .map(({ description }: { description: string }) => description)
        .join(),
  ],
])("%s names control characters and marks that turn text around", (name, wordsOf) => {
  const { reporter } = parseReporters(name)[0]!;
  const texts = [reporter.render(scores, {}), reporter.compare!(compared, {}), reporter.check!(checked, {})];
  for (const text of texts as string[]) {
    expect(wordsOf(text)).not.toMatch(/[\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/);
    expect(wordsOf(text)).toContain("<U+202E>gnp.exe");
  }
});

describe("github", () => {
  test("is one command a line, whatever is in the record, and never more than ten of a level", () => {
    const text = renderReport("github", scores, {
      skills: new Map(hostile.map((skill) => [skill, { file: "a.md", line: 3 }])),
    });
    for (const line of text.trimEnd().split("\n"))
      expect(line).toMatch(/^::(error|warning|notice) (file=[^:,]*,)?(line=\d+,)?title=[^:,]*::/);
    const many = renderReport("github", scene({ targets: [claude], wrong: 40, perSkill: 20 }));
    for (const level of ["error", "warning", "notice"])
      expect(many.split(`::${level} `).length - 1).toBeLessThanOrEqual(10);
    expect(many).toMatch(/::error title=proctor::… and \d+ more/);
  });

  test("points at the question's line and at the description of its skill, as seen from the checkout", () => {
    const text = renderReport("github", scene({ targets: [claude], wrong: 1 }), {
      workspace: "examples/shop",
      skills: new Map([["faq", { file: "skills/faq/SKILL.md", line: 3 }]]),
    });
    expect(text).toMatch(/^::error file=examples\/shop\/[^,]+,line=\d+,title=/);
  });
});

describe("markdown", () => {
  test.each([
    ["hostile", () => scores],
    ["a library of 120 skills", scenes["a library of 120 skills"]!],
    ["two targets", scenes["two targets"]!],
    ["all pass", scenes["all pass"]!],
    ["all errors", scenes["all errors"]!],
  ])("%s: the verdict comes first, and it is a comment of at most 60 lines and 65,536 characters", (_, made) => {
    const text = renderReport("markdown", made(), { since: [] });
    expect(text.split("\n")[0]).toMatch(/^(✅|⚠️|❌|❔) \*\*/u);
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
    expect(text.length).toBeLessThan(65_536);
    expect((text.match(/<details>/g) ?? []).length).toBe((text.match(/<\/details>/g) ?? []).length);
  });

  test("what others wrote is code, in which nothing means anything", () => {
    for (const text of hostile) {
      const code = asCode(text);
      const fence = /^`+/.exec(code)![0];
      expect(code.endsWith(fence)).toBe(true);
      // No run of as many backticks inside: the code cannot be left.
      expect(code.slice(fence.length, -fence.length).match(/`+/g) ?? []).not.toContain(fence);
      expect(code).not.toMatch(/[\n\r]/);
      expect(asCell(text, 200)).not.toMatch(/[\n\r]|(?<!\\)\|/);
    }
    const { reporter } = parseReporters("markdown")[0]!;
    for (const text of [
      renderReport("markdown", scores),
      reporter.compare!(compared, {}) as string,
      reporter.check!(checked, {}),
    ]) {
      const outside = text.replace(/(`+)[\s\S]*?[^`]\1(?!`)/g, "");
      expect(outside).not.toMatch(/@everyone|https:|<script|<img|::error/);
      expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
    }
  });
});

test("csv: no cell is a formula, and every row has the columns of the first", async () => {
  for (const name of ["csv", "csv-trials"]) {
    const rows = parseCsv(await rendered(name));
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) expect(row.length).toBe(rows[0]!.length);
    for (const row of rows) for (const cell of row) expect(cell).not.toMatch(/^\s*[=+@]|^-[^\d.]/);
  }
  expect(csvRow(["=1+1", 'a"b', -1, null])).toBe(`'=1+1,"a""b",-1,\r\n`);
});

test("gitlab is a list of issues with a path, a line and a fingerprint of their own", () => {
  const issues = JSON.parse(renderReport("gitlab", scores)) as {
    fingerprint: string;
    location: { path: string; lines: { begin: number } };
  }[];
  expect(issues).toHaveLength(hostile.length);
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
  expect(JSON.parse(parseReporters("gitlab")[0]!.reporter.compare!(compared, {}) as string)).toEqual(issues);
  for (const { location } of issues) expect(location.lines.begin).toBeGreaterThan(0);
});

function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at];
      else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ",") {
      rows.at(-1)!.push(cell);
      cell = "";
    } else if (character === "\n") {
      rows.at(-1)!.push(cell.replace(/\r$/, ""));
      cell = "";
      rows.push([]);
    } else cell += character;
  }
  return rows.slice(0, -1);
}
