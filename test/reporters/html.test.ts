import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scoreStored } from "../../src/exam/score/index.ts";
import type { Transcript } from "../../src/model/index.ts";
import { pageOfRun } from "../../src/reporters/html/index.ts";
import type { PageExam, PageTranscript } from "../../src/reporters/html/page-data.ts";
import { rivalOrder } from "../../src/reporters/html/project/rivals.ts";
import type { PackedTable } from "../../src/reporters/html/project/tables.ts";
import { IN_FILE, pageTranscript } from "../../src/reporters/html/project/transcript.ts";
import { unpackPage, unpackTrials, type WirePage } from "../../src/reporters/html/wire.ts";
import { renderPieces } from "../../src/reporters/index.ts";
import { type Sat, World } from "../world.ts";

let world: World;
let sat: Sat;

beforeEach(async () => {
  world = new World();
  world.skill("send", [
    { query: "Send </script><script>alert(1)</script> it", should_trigger: true },
    { query: "Do not send it", should_trigger: false },
    { query: "Sometimes send it", should_trigger: true },
    { query: "Fail to send it", should_trigger: true },
  ]);
  world.skill("track");
  world.script({
    answers: [
      { query: "Do not send it", skills: ["send"] },
      {
        query: "Sometimes send it",
        runs: { 1: { skills: ["send"] }, 2: { skills: ["track"] }, 3: { skills: ["send"] } },
      },
      { query: "Fail to send it", error: { reason: "timeout", retryable: false } },
    ],
    default: { skills: [], text: "x".repeat(10_000) },
  });
  sat = await world.sit({ runs: 3 });
});
afterEach(() => world.remove());

function block<T>(html: string, id: string): T {
  const [, packed = ""] = new RegExp(`id="${id}">([A-Za-z0-9+/=]*)</script>`).exec(html) ?? [];
  return JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString("utf8")) as T;
}

/** As the page itself reads what lies in it. */
function pageIn(html: string): { exam: PageExam | null } {
  const { exam } = unpackPage(block<WirePage>(html, "data"));
  return { exam: exam && { ...exam, trials: unpackTrials(block<PackedTable>(html, "trials")) } };
}

describe("the page of a run", () => {
  test("is the same, byte for byte, when it is made twice", async () => {
    expect(await pageOfRun(sat.place)).toBe(await pageOfRun(sat.place));
  });

  test("holds the scores' own numbers", async () => {
    const scores = await scoreStored(sat.place);
    const { exam } = pageIn(await pageOfRun(sat.place));
    const rounded = JSON.parse(
      JSON.stringify(scores.targets[0], (_, value) => (typeof value === "number" ? Number(value.toFixed(6)) : value)),
    );
    const { results, identity: _, ...target } = exam!.targets[0]!;
    const { questions, identity: __, ...expected } = rounded;
    expect(target).toEqual(expected);
    for (const [at, { verdict, hits, measured, rate, why }] of questions.entries())
      expect(results[at]).toMatchObject({ verdict, hits, measured, rate, ...(why && { why }) });
    expect(exam!.run).toEqual(JSON.parse(JSON.stringify(scores.run)));
  });

  test("tells how each run of a question went as it was counted", async () => {
    const { exam } = pageIn(await pageOfRun(sat.place));
    const runs = Object.fromEntries(
      exam!.targets[0]!.results.map(({ question, runs: all }) => [exam!.questions[question]!.prompt, all]),
    );
    expect(runs["Sometimes send it"]).toBe("+-+");
    expect(runs["Fail to send it"]).toMatch(/^!+\.*$/);
    expect(runs["Do not send it"]).toMatch(/^--/);
    for (const { question, runs: all, hits, measured } of exam!.targets[0]!.results) {
      const right = [...all].filter((run) => run === "+").length;
      expect(right + [...all].filter((run) => run === "-").length).toBe(measured);
      expect(exam!.questions[question]!.positive ? right : measured - right).toBe(hits);
    }
  });

  test("has nothing of the record in it but base64, and a policy with the hashes of its own script and style", async () => {
    const html = await pageOfRun(sat.place);
    expect(html).not.toContain("alert(1)");
    expect(html.match(/<script/g)).toHaveLength(4);
    const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toContain("connect-src 'none'");
    expect(policy).not.toContain("unsafe");
    for (const [tag, name] of [
      ['<script type="module">', "script-src"],
      ["<style>", "style-src"],
    ] as const) {
      const start = html.indexOf(tag) + tag.length;
      const inside = html.slice(start, html.indexOf(tag === "<style>" ? "</style>" : "</script>", start));
      expect(policy).toContain(`${name} 'sha256-${createHash("sha256").update(inside).digest("base64")}'`);
    }
  });

  test("takes transcripts along, those that went wrong first, with long texts cut and counted", async () => {
    const html = await pageOfRun(sat.place);
    const { exam } = pageIn(html);
    const transcripts = block<Record<string, PageTranscript>>(html, "transcripts");
    expect(exam!.transcripts.here).toBe(Object.keys(transcripts).length);
    expect(exam!.transcripts).toEqual({
      kept: exam!.trials.filter(({ transcript }) => transcript).length,
      here: exam!.transcripts.kept,
    });
    const long = Object.values(transcripts).flatMap(({ steps }) =>
      steps.flatMap((step) => (step.type === "text" ? [step.text] : [])),
    );
    expect(long).toContainEqual({ text: "x".repeat(3_000), leftOff: 7_000 });
  });

  test("is what the reporter html renders, with the record and without it", async () => {
    const pieces = [];
    for await (const piece of renderPieces("html", sat.scores)) pieces.push(piece);
    const { exam } = pageIn(pieces.join(""));
    expect(exam!.trials).toEqual([]);
    expect(exam!.targets[0]!.total.score.n).toBe(sat.scores.targets[0]!.total.score.n);
  });
});

describe("rivals", () => {
  test("stand side by side, strongest first, and the order does not depend on the order of the pairs", () => {
    const pairs = [
      { skills: ["a", "z"] as const, weight: 5 },
      { skills: ["z", "m"] as const, weight: 3 },
      { skills: ["b", "c"] as const, weight: 1 },
    ];
    const order = rivalOrder(["a", "b", "c", "m", "x", "z"], pairs);
    expect(order).toEqual(["m", "z", "a", "b", "c", "x"]);
    expect(rivalOrder(["a", "b", "c", "m", "x", "z"], pairs.toReversed())).toEqual(order);
  });

  test("what is no skill, and a skill with itself, moves nothing", () => {
    expect(
      rivalOrder(
        ["a", "b"],
        [
          { skills: ["b", "b"], weight: 9 },
          { skills: ["(none)", "b"], weight: 9 },
        ],
      ),
    ).toEqual(["a", "b"]);
  });
});

test("a sub-agent's steps stand after the call that started it, and plain inputs are told without JSON", () => {
  const transcript: Transcript = {
    outcome: { status: "activations", activations: [] },
    activations: [{ skill: "s", turn: 1, evidence: "loaded" }],
    calls: [
      { turn: 1, id: "1", tool: "Read", input: { file_path: "a" }, agent: "inner", ok: true, result: "r" },
      { turn: 1, id: "2", tool: "Task", input: { deep: { er: 1 } }, ok: true },
    ],
    texts: [
      { turn: 1, text: "inner text", agent: "inner" },
      { turn: 1, text: "own text" },
    ],
    finalText: "",
    turns: 1,
    how: "completed",
    workspace: {
      files: [
        { path: "new.txt", change: "added", kind: "file", bytes: 5, text: "hello" },
        { path: "old.txt", change: "same", kind: "file", bytes: 3, text: "old" },
        { path: "odd.bin", change: "changed", kind: "file", bytes: 3, base64: "AAAA" },
        { path: "both.txt", change: "changed", kind: "file", bytes: 4, text: "a\nb", before: "a\nc" },
        { path: "gone.txt", change: "removed", kind: "file", before: "once" },
      ],
    },
  };
  const { steps, files } = pageTranscript(transcript, undefined, IN_FILE);
  expect(files).toEqual([
    { path: "new.txt", change: "added", kind: "file", bytes: 5, text: { text: "hello", leftOff: 0 } },
    { path: "odd.bin", change: "changed", kind: "file", bytes: 3 },
    {
      path: "both.txt",
      change: "changed",
      kind: "file",
      bytes: 4,
      diff: { hunks: [{ before: 1, after: 1, lines: [" a", "-c", "+b"] }], leftOff: 0 },
    },
    {
      path: "gone.txt",
      change: "removed",
      kind: "file",
      diff: { hunks: [{ before: 1, after: 1, lines: ["-once"] }], leftOff: 0 },
    },
  ]);
  expect(
    steps.map((step) => (step.type === "call" ? step.tool : step.type === "text" ? step.text.text : step.skill)),
  ).toEqual(["own text", "Task", "s", "inner text", "Read"]);
  expect(steps.flatMap((step) => (step.type === "call" ? [step.input.text] : []))).toEqual([
    '{\n  "deep": {\n    "er": 1\n  }\n}',
    "file_path: a",
  ]);
});
