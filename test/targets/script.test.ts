import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import type { Ask, Library } from "../../src/model/index.ts";
import { type Activation, type FoldOptions, foldEvents, type Transcript } from "../../src/model/index.ts";
import { resolveTarget, targetKinds } from "../../src/targets/index.ts";
import { inPassingTime } from "../passing-time.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "proctor-script-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const library = { root: "/", name: "l", skills: [], fingerprint: "f", problems: [] } satisfies Library;
const ask = (prompt: string): Ask => ({
  key: prompt,
  kind: "trigger",
  prompt,
  files: [],
  messages: [],
  library: "f",
  limits: {},
});

async function open(script: string) {
  writeFileSync(join(folder, "answers.yaml"), script);
  const target = await resolveTarget("script:answers.yaml", { cwd: folder, env: {} });
  const sitting = await target.open(library);
  return { target, sitting };
}

interface Put {
  run?: number;
  decided?: (activations: readonly Activation[]) => boolean;
  fold?: FoldOptions;
  signal?: AbortSignal;
}

async function put(
  script: string,
  prompt: string,
  { run = 1, decided = () => false, fold = {}, signal = new AbortController().signal }: Put = {},
): Promise<Transcript> {
  const { sitting } = await open(script);
  const answer = await sitting.ask(ask(prompt), { run, signal, decided });
  const transcript = await foldEvents(answer.events, { signal, ...fold });
  await answer.dispose();
  return transcript;
}

const fired = (transcript: Transcript) => transcript.activations.map((activation) => activation.skill);
const reason = ({ outcome }: Transcript) => (outcome.status === "error" ? outcome.error.reason : undefined);

describe("an answer is found", () => {
  const script = `
answers:
  - query: exact
    skills: [a]
  - query: [one, two]
    skills: [b]
  - pattern: "(?i)^REFUND"
    skills: [c]
  - pattern: refund
    skills: [d]
  - query: by run
    skills: [a]
    runs: { 2: { skills: [b] }, 3: { error: timeout } }
default: { skills: [z] }
`;
  test.each<[string, number, string[]]>([
    ["exact", 1, ["a"]],
    ["two", 1, ["b"]],
    ["Refund me", 1, ["c"]],
    ["my refund", 1, ["d"]],
    ["by run", 1, ["a"]],
    ["by run", 2, ["b"]],
    ["exactly", 1, ["z"]],
  ])("for %j in run %i", async (prompt, run, skills) => {
    expect(fired(await put(script, prompt, { run }))).toEqual(skills);
  });

  test("or there is an error, never silence", async () => {
    expect(reason(await put("answers: []", "anything"))).toBe("unknown");
    expect(reason(await put(script, "by run", { run: 3 }))).toBe("timeout");
  });
});

test("an answer carries evidence, turns, text, usage, cost, listing and model", async () => {
  const transcript = await put(
    `
model: m-1
cost_per_trial: 0.5
answers:
  - query: q
    skills: [{ skill: a, evidence: read, turn: 2 }, { skill: b, evidence: refused, agent: helper }]
    text: Done.
    cost: 0.25
    usage: { input_tokens: 7, output_tokens: 3 }
    listing: { a: whole, b: bare }
`,
    "q",
  );
  expect(transcript).toMatchObject({
    how: "completed",
    turns: 2,
    activations: [
      { skill: "a", turn: 2, evidence: "read" },
      { skill: "b", turn: 1, evidence: "refused", agent: "helper" },
    ],
    finalText: "Done.",
    costUsd: 0.25,
    usage: { inputTokens: 7, outputTokens: 3 },
    listing: [
      { skill: "a", shown: "whole" },
      { skill: "b", shown: "bare" },
    ],
    model: "m-1",
  });
});

test("a trial stops as soon as it is decided", async () => {
  const script = "answers: [{ query: q, skills: [a, b, c], text: bye, tail: 60000 }]";
  const transcript = await put(script, "q", { decided: (activations) => activations.length === 2 });
  expect(transcript.how).toBe("stopped");
  expect(fired(transcript)).toEqual(["a", "b"]);
});

describe("faults", () => {
  const faulty = (fault: string) => `{ model: m, answers: [{ query: q, skills: [a], ${fault} }] }`;
  const skills = new Set(["a"]);
  test.each<[string, string]>([
    ["fault: crash", "crash"],
    ["fault: cut", "cut_stream"],
    ["fault: half_line", "unparseable"],
    ["fault: invalid_text", "unparseable"],
    ["fault: lie_skill", "unparseable"],
    ["fault: lie_evidence", "unparseable"],
    ["fault: lie_model", "unparseable"],
    ["flood: 1gb", "flood"],
    ["error: rate_limit", "rate_limit"],
    ["error: { reason: auth, message: not logged in }", "auth"],
  ])("%s gives %s", async (fault, expected) => {
    expect(reason(await put(faulty(fault), "q", { fold: { skills, model: "m" } }))).toBe(expected);
  });

  test.each(["fault: hang", "fault: deaf", "latency: 60000"])("%s ends when it is called off", async (fault) => {
    expect(reason(await inPassingTime(() => put(faulty(fault), "q", { signal: AbortSignal.timeout(20) })))).toBe(
      "timeout",
    );
  });

  test("an error can pass after some attempts, and can say when", async () => {
    const { sitting } = await open(
      "answers: [{ query: q, skills: [a], error: { reason: rate_limit, times: 2, retry_after: 30 } }]",
    );
    const outcomes = [];
    for (const run of [1, 1, 1, 2]) {
      const answer = await sitting.ask(ask("q"), { run, signal: new AbortController().signal, decided: () => false });
      outcomes.push((await foldEvents(answer.events)).outcome);
    }
    const limited = { status: "error", error: { reason: "rate_limit", retryable: true, retryAfterMs: 30 } };
    expect(outcomes).toMatchObject([limited, limited, { status: "activations" }, limited]);
  });
});

describe("chance", () => {
  const share = async (rate: number, seed: number) => {
    const { sitting } = await open(
      `{ seed: ${seed}, default: { skills: [a], hit_rate: ${rate}, otherwise: { skills: [b] } } }`,
    );
    const hits: boolean[] = [];
    for (let question = 0; question < 500; question++) {
      for (const run of [1, 2, 3, 4]) {
        const answer = await sitting.ask(ask(`question ${question}`), {
          run,
          signal: new AbortController().signal,
          decided: () => false,
        });
        hits.push(fired(await foldEvents(answer.events))[0] === "a");
      }
    }
    return hits;
  };

  test("follows the rate, the same with the same seed, and another way with another", async () => {
    const hits = await share(0.7, 1);
    // Four standard errors of 2000 draws at 0.7.
    expect(Math.abs(hits.filter(Boolean).length / hits.length - 0.7)).toBeLessThan(0.041);
    expect(await share(0.7, 1)).toEqual(hits);
    expect(await share(0.7, 2)).not.toEqual(hits);
  });

  test("neighbouring runs are independent", async () => {
    const hits = await share(0.5, 3);
    let same = 0;
    for (let index = 0; index + 1 < hits.length; index += 2) same += Number(hits[index] === hits[index + 1]);
    expect(Math.abs(same / (hits.length / 2) - 0.5)).toBeLessThan(0.065);
  });
});

test("a script says who it plays", async () => {
  const { target } = await open(
    "{ provider: anthropic, model: m, version: 2, cost_per_trial: unknown, deterministic: true, predicted: true, concurrency: 2 }",
  );
  expect(target).toMatchObject({
    id: "script:answers.yaml",
    kind: "script",
    expectedCostUsd: null,
    predicted: true,
    concurrency: 2,
  });
  expect(await target.identify()).toMatchObject({
    host: "script",
    provider: "anthropic",
    model: "m",
    version: "2",
    deterministic: true,
  });
  const other = await open("{ provider: anthropic }");
  expect(other.target).toMatchObject({ expectedCostUsd: 0, predicted: false });
  expect((await other.target.identify()).options).not.toEqual((await target.identify()).options);
});

test.each<[string, string, RegExp]>([
  ["not YAML", "answers: [", /answers\.yaml:1 /],
  ["an unknown member", "answers:\n  - query: q\n    skils: [a]\n", /answers\.yaml:3 .*skils/],
  [
    "a wrong value",
    "answers:\n  - query: q\n    latency: soon\n",
    /answers\.yaml:3 answers\.0\.latency: It is "soon"; .* is needed$/,
  ],
  ["neither query nor pattern", "answers:\n  - skills: [a]\n", /either a query or a pattern/],
  ["a broken pattern", 'answers:\n  - pattern: "("\n', /not a valid pattern/],
])("a script that is %s is refused with its place", async (_name, script, message) => {
  await expect(open(script)).rejects.toThrow(message);
  await expect(open(script)).rejects.toThrow(UsageError);
});

test("a script that is not there is refused", async () => {
  await expect(resolveTarget("script:none.yaml", { cwd: folder, env: {} })).rejects.toThrow(/none\.yaml/);
  await expect(resolveTarget("script:", { cwd: folder, env: {} })).rejects.toThrow(/needs a file/);
});

test("an unknown target is refused with the nearest names and the list", async () => {
  const refused = resolveTarget("scrpt:a.yaml", { cwd: folder, env: {} });
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toMatchObject({
    hint: expect.stringMatching(/Did you mean script.*script:FILE.*replay:RUN/s),
  });
  expect(new Set(targetKinds.map((kind) => kind.prefix)).size).toBe(targetKinds.length);
});
