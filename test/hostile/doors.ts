import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pc from "picocolors";
import { remember, sha256 } from "../../src/base/index.ts";
import { loadConfig } from "../../src/base/options/index.ts";
import { createRouter } from "../../src/cards/index.ts";
import { discover } from "../../src/exam/find/index.ts";
import { readTestCode } from "../../src/exam/read/import/test-code.ts";
import { openRecord, type RecordPlace } from "../../src/exam/record/index.ts";
import { readChecksum, withChecksum } from "../../src/exam/record/lines/checksum.ts";
import { openBundle } from "../../src/fleet/bundle/bundle.ts";
import { createSigner } from "../../src/fleet/wire/signature.ts";
import { checkGrader, gradeQuestion } from "../../src/graders/index.ts";
import { checkLock, recordSource, updateLock } from "../../src/history/index.ts";
import type { AgentAdapter } from "../../src/hosts/index.ts";
import { loadAdapters } from "../../src/hosts/index.ts";
import { jsonLines } from "../../src/hosts/reading/json.ts";
import { openedFiles } from "../../src/hosts/reading/opened-files.ts";
import { StagedSkills } from "../../src/hosts/reading/staged-skills.ts";
import type { Library } from "../../src/model/index.ts";
import {
  packPage,
  packTrials,
  pageDocument,
  pageOfRun,
  servedData,
  servedTranscript,
} from "../../src/reporters/html/index.ts";
import { unpackPage, unpackTrials } from "../../src/reporters/html/wire.ts";
import {
  checkGithub,
  checkJson,
  checkSarif,
  checkText,
  renderPieces,
  renderReport,
  trialText,
} from "../../src/reporters/index.ts";
import { parseDecision } from "../../src/targets/models/judge.ts";
import { parseRoute } from "../../src/targets/models/router.ts";
import { check, compare, report, run, trials } from "../../src/verbs/index.ts";

/** A place where text that somebody else wrote comes in. */
export interface Door {
  name: DoorName;
  /** What such a text looks like, as kind (a file's name, a host) and text. */
  seeds: { kind: string; text: string }[];
  /** Takes a text in and all the way to what is printed. Throws what nobody may see; a Problem or an error outcome is no throw. */
  put(text: string, kind: string): Promise<void>;
}

export const DOORS = [
  ...(["skills", "suites", "configurations", "records", "cache", "streams", "replies"] as const),
  ...(["graders", "locks", "notes", "comparisons", "messages", "test code"] as const),
  ...(["pages", "reports", "bundles", "commands"] as const),
] as const;
export type DoorName = (typeof DOORS)[number];

export interface House {
  doors: Door[];
  close(): void;
}

const SHOP = join(import.meta.dirname, "..", "..", "examples", "shop");
const FIXTURES = join(import.meta.dirname, "..", "hosts", "fixtures");
const PLAIN = pc.createColors(false);
const HERE = { env: {}, config: undefined };

/** Every door, in a folder of its own. */
export async function openHouse(): Promise<House> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "proctor-hostile-")));
  const adapters = await loadAdapters();
  const shop = folder(root, "shop");
  copyInto(SHOP, shop);
  const { libraries } = await discover({ cwd: shop, root: shop });
  const [library] = libraries;
  if (library === undefined) throw new Error("the example has no library");
  return {
    doors: [
      skills(folder(root, "skills")),
      suites(folder(root, "suites")),
      configurations(folder(root, "configurations")),
      await records(folder(root, "records")),
      await cache(folder(root, "cache")),
      streams(adapters),
      replies(library),
      graders(),
      ...(await kept(folder(root, "kept"))),
      messages(),
      testCode(folder(root, "test-code")),
      ...(await shown(folder(root, "shown"))),
      bundles(),
      commands(),
    ],
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

function skills(root: string): Door {
  const file = join(root, "skills", "one", "SKILL.md");
  return {
    name: "skills",
    seeds: filesIn(SHOP, /SKILL\.md$/),
    async put(text) {
      write(file, text);
      await checkAll(root);
      const { libraries } = await discover({ cwd: root, root });
      const found = libraries.flatMap((one) => one.skills);
      createRouter(found).route(text.slice(0, 20_000));
    },
  };
}

/** By the name of the file, for every format that is read. */
const SUITES: Record<string, string> = {
  "evals/order-status/triggers.yaml":
    'triggers:\n  - query: "Where is it?"\n    should_trigger: true\n    tags: [a]\n    runs: 3\n    files: [x.txt]\n',
  "evals/order-status/triggers.json":
    '{ "triggers": [{ "query": "Where?", "should_trigger": true, "expect": "order-status", "also_fine": ["gift-cards"] }] }',
  "evals/order-status/evals.json":
    '{ "skill_name": "order-status", "evals": [{ "id": 1, "prompt": "Where?", "expected_output": "there", "files": [], "expectations": ["says where"] }] }',
  "evals/routing.jsonl": '{"prompt":"a b","expect":"gift-cards"}\n{"prompt":"c d","expect":null}\n',
  "evals/routing.csv": 'query,should_trigger,skill\n"Where, then?",true,order-status\nNo,false,order-status\n',
  "evals/order-status/triggers.md":
    '# order-status\n\n## Should trigger\n\n- "Where is my order?"\n- [x] Track it\n\n## Should not trigger\n\n| query | why |\n|---|---|\n| Refund | other |\n',
  "evals/order-status/eval.yaml":
    "name: order-status\nskill: order-status\nconfig:\n  trials_per_task: 2\n  timeout_seconds: 30\ntasks: ['tasks/*.yaml']\ngraders:\n  - type: regex\n    name: r\n    config: { pattern: 'a+' }\n",
  "prompts/apology/meta.yml": "status: draft\n",
  "prompts/apology/eval.yml": "cases:\n  - name: one\n    inputs: { a: b }\n    checks:\n      - contains: x\n",
};

function suites(root: string): Door {
  copyInto(join(SHOP, "skills"), join(root, "skills"));
  return {
    name: "suites",
    seeds: [
      ...Object.entries(SUITES).map(([kind, text]) => ({ kind, text })),
      ...filesIn(SHOP, /\.(?:json|yaml|jsonl)$/, /evals/),
    ],
    async put(text, kind) {
      const file = join(root, kind);
      write(file, text);
      await checkAll(root);
      rmSync(file);
    },
  };
}

function configurations(root: string): Door {
  return {
    name: "configurations",
    seeds: [
      {
        kind: "proctor.config.yaml",
        text: "runs: { triggers: 3, cases: 1 }\ntargets: [embedded]\nbudget: 5\ngates: ['score >= 0.8']\nrules: { suite/empty: off }\n",
      },
      {
        kind: "proctor.config.yaml",
        text: "a: &a [x]\ntargets: *a\nlibraries: { one: [skills], two: other }\nprices: { a/b: { input: 1, output: 2 } }\n",
      },
      {
        kind: "proctor.config.json",
        text: '{ "targets": [{ "target": "claude:haiku", "jobs": 2 }], "runs": 2, "timeout": 5, // so\n "providers": { "x": { "baseUrl": "http://127.0.0.1" } } }',
      },
    ],
    async put(text, kind) {
      write(join(root, kind), text);
      try {
        await loadConfig({ cwd: root, file: kind, env: {} });
      } catch (error) {
        if (!isForPeople(error)) throw error;
      }
    },
  };
}

async function records(root: string): Promise<Door> {
  const shop = await ranShop(root, "embedded");
  const [place] = filesIn(join(shop, ".proctor", "runs"), /record\.jsonl$/);
  if (place === undefined) throw new Error("the run left no record");
  const file = join(shop, ".proctor", "runs", place.kind);
  const bare = place.text
    .trimEnd()
    .split("\n")
    .map((line) => `${readChecksum(line)?.body ?? line}}`);
  const [header = "", ...rest] = bare;
  const few = [header, ...rest.filter((line) => line.includes('"type":"question"')).slice(0, 3)];
  const trialLines = rest.filter((line) => line.includes('"type":"trial"'));
  return {
    name: "records",
    seeds: [
      { kind: "record.jsonl", text: place.text },
      { kind: "record.jsonl", text: place.text.split("\n").slice(0, 12).join("\n") },
      // Whatever is in it, the checksums fit: somebody may have written them.
      { kind: "sealed", text: bare.join("\n") },
      { kind: "sealed", text: [...few, ...trialLines.slice(0, 4)].join("\n") },
    ],
    async put(text, kind) {
      write(file, kind === "sealed" ? withSeals(text) : text);
      try {
        const { scores, since } = await report({ ...HERE, cwd: shop, run: file });
        for (const name of ["terminal", "json"]) renderReport(name, scores, { width: 100, since });
        const stored = await trials({ ...HERE, cwd: shop, run: file });
        for await (const trial of stored.trials) trialText(trial, { colors: PLAIN, width: 100, verbose: true });
      } catch (error) {
        if (!isForPeople(error)) throw error;
      }
    },
  };
}

function withSeals(text: string): string {
  let seed = "";
  const lines = text.split("\n").map((line, number) => {
    if (!line.endsWith("}")) return `${line}\n`;
    const { text: whole, sum } = withChecksum(line, number, seed);
    if (number === 0) seed = sum;
    return `${whole}\n`;
  });
  return lines.join("");
}

async function cache(root: string): Promise<Door> {
  const shop = await ranShop(root, "script:answers.yaml");
  const folders = join(shop, ".proctor", "cache");
  const seeds = filesIn(folders, /./)
    .filter(({ text }) => text.trim() !== "")
    .slice(0, 8);
  return {
    name: "cache",
    seeds,
    async put(text, kind) {
      write(join(folders, kind), text);
      rmSync(join(shop, ".proctor", "runs"), { recursive: true, force: true });
      await run({ ...HERE, cwd: shop, targets: ["script:answers.yaml"], runs: 1 });
    },
  };
}

function streams(adapters: readonly AgentAdapter[]): Door {
  const seeds = adapters.flatMap(({ id }) =>
    filesIn(join(FIXTURES, id), /\.jsonl?$/).map(({ text }) => ({ kind: id, text: text.slice(0, 60_000) })),
  );
  const byId = new Map(adapters.map((adapter) => [adapter.id, adapter]));
  return {
    name: "streams",
    seeds,
    async put(text, kind) {
      const adapter = byId.get(kind);
      if (adapter === undefined) throw new Error(`no adapter ${kind}`);
      const dir = `/ws/${adapter.skillsDir}/alpha`;
      const body = "# alpha\n\nBODY-OF-alpha\n\nDraws charts.\nFrom files.\n";
      const staged = new StagedSkills("/ws", [
        {
          id: "alpha",
          folder: "alpha",
          name: "alpha",
          dir,
          file: `${dir}/SKILL.md`,
          description: "Draws alpha charts.",
          body,
        },
      ]);
      const reader = adapter.reader(staged);
      for (const line of jsonLines(text)) reader.read(line);
      reader.end({ code: 0, signal: null, stderr: text.slice(0, 4_000), ms: 1 });
      adapter.session?.read([{ path: "session.jsonl", text }], staged);
    },
  };
}

const GRADERS = [
  { type: "regex", config: { pattern: "(a+)+b|\\s+$" } },
  { type: "contains", config: { text: "order" } },
  { type: "json_schema", config: { schema: { type: "object" } } },
  { type: "rubric", config: { rubric: "is kind" } },
];

function replies(library: Library): Door {
  return {
    name: "replies",
    seeds: [
      "DECISION=YES REASON=it asks for it",
      "SKILLS=order-status, gift-cards",
      '{"skills": ["order-status"]}',
      "SCORE=4 REASON=good",
      "Your order:\n\n```json\n{}\n```\n",
    ].map((text) => ({ kind: "reply", text })),
    async put(text) {
      parseDecision(text);
      parseRoute(text, library);
      const activations: never[] = [];
      const transcript = {
        outcome: { status: "activations" as const, activations },
        activations,
        calls: [],
        texts: [{ turn: 1, text }],
        turns: 1,
        finalText: text,
        how: "completed" as const,
      };
      for (const { type, config } of GRADERS) {
        await gradeQuestion(
          [{ type, name: type, config, weight: 1 }] as never,
          transcript as never,
          { judge: async () => ({ text }), prompt: text, evidence: "any" } as never,
        );
      }
      const line = {
        target: "model:x",
        run: 1,
        ms: 1,
        how: "completed",
        turns: 1,
        activations,
        checks: [{ passed: false, score: 0, message: text }],
        attempts: [],
      };
      trialText(
        { prompt: text, place: "x", line: line as never, transcript: transcript as never, raw: text },
        { colors: PLAIN, width: 100, verbose: true },
      );
    },
  };
}

/** A grader's type and configuration, as a suite has them, on a reply and on files that were left. */
function graders(): Door {
  const files = [{ path: "out/a.json", change: "added", kind: "file", text: '{"a":[1,2]}', bytes: 11 }];
  const transcript = {
    outcome: { status: "activations", activations: [] },
    activations: [],
    calls: [{ turn: 1, id: "1", tool: "Bash", input: { command: "ls -l out" }, ok: true, result: "a.json" }],
    texts: [{ turn: 1, text: "Done: out/a.json has 2 numbers." }],
    turns: 1,
    finalText: "Done: out/a.json has 2 numbers.",
    how: "completed",
    workspace: { files },
  };
  const seeds = [
    { type: "regex", config: { pattern: "Done: .*", flags: "i" } },
    { type: "text", config: { contains: ["Done"], regex_match: ["\\\\d+ numbers"], not_contains: ["x"] } },
    { type: "matches", config: { value: "(?i)^done.*$", syntax: "python" } },
    {
      type: "json_schema",
      config: { schema: { type: "object", properties: { a: { type: "array" } }, required: ["a"] } },
    },
    {
      type: "file",
      config: { must_exist: ["out/a.json"], content_patterns: [{ path: "out/a.json", must_match: ["a"] }] },
    },
    { type: "diff", config: { expected_files: [{ path: "out/a.json", contains: ["+a", "-b"] }] } },
    {
      type: "tool_constraint",
      config: { expect_tools: [{ tool: "Bash", command_pattern: "ls" }], max_turns: 3, max_tokens: 100 },
    },
    { type: "action_sequence", config: { expected_actions: ["Bash"], matching_mode: "any_order_match" } },
    { type: "behavior", config: { max_tool_calls: 5, required_tools: ["Bash"], forbidden_tools: ["Write"] } },
    { type: "skill_invocation", config: { required_skills: [], mode: "exact_match", allow_extra: false } },
    { type: "rubric", config: { rubric: "is kind", scale: 5 } },
    { type: "max_tokens", config: { value: 10 } },
  ];
  return {
    name: "graders",
    seeds: seeds.map((seed) => ({ kind: "grader", text: JSON.stringify(seed) })),
    async put(text) {
      let spec: unknown;
      try {
        spec = JSON.parse(text);
      } catch {
        return;
      }
      if (typeof spec !== "object" || spec === null || !("type" in spec) || typeof spec.type !== "string") return;
      const { type, config } = spec as unknown as { type: string; config: unknown };
      // What the schema refuses is named when the suite is read, and never graded.
      if (checkGrader({ type, config }).status === "rejected") return;
      const judge = async () => ({ text: "SCORE=3 REASON=so" });
      await gradeQuestion(
        [{ type, config }] as never,
        transcript as never,
        { judge, prompt: "p", evidence: "any" } as never,
      );
    },
  };
}

/** What lies beside a record, and what two records are held against each other by. */
async function kept(root: string): Promise<Door[]> {
  const shop = await ranShop(root, "embedded");
  await run({ ...HERE, cwd: shop, targets: ["embedded"], runs: 1 });
  const [first = "", second = ""] = readdirSync(join(shop, ".proctor", "runs")).sort();
  const place = (name: string) => join(shop, ".proctor", "runs", second, name);
  const { scores } = await report({ ...HERE, cwd: shop, run: second });
  updateLock(shop, scores);
  const [question] = scores.targets[0]?.questions ?? [];
  const note = {
    question: question?.id,
    text: "It did answer.",
    verdict: "wrong",
    at: "2026-11-16T00:00:00Z",
    target: "embedded",
  };
  const lines = readFileSync(place("record.jsonl"), "utf8").trimEnd().split("\n");
  const forPeople = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!isForPeople(error)) throw error;
    }
  };
  return [
    {
      name: "locks",
      seeds: [{ kind: "proctor.lock.json", text: readFileSync(join(shop, "proctor.lock.json"), "utf8") }],
      async put(text) {
        write(join(shop, "proctor.lock.json"), text);
        await forPeople(async () => checkLock(shop, scores));
        const noisy = { ...scores, targets: scores.targets.map((target) => ({ ...target, deterministic: false })) };
        await forPeople(async () => checkLock(shop, noisy));
        await forPeople(async () => updateLock(shop, scores));
      },
    },
    {
      name: "notes",
      seeds: [
        { kind: "notes.jsonl", text: `${JSON.stringify(note)}\n${JSON.stringify({ ...note, verdict: "right" })}\n` },
      ],
      async put(text) {
        write(place("notes.jsonl"), text);
        const { scores: now, since } = await report({ ...HERE, cwd: shop, run: second });
        for (const name of ["terminal", "json"]) renderReport(name, now, { width: 100, since });
      },
    },
    {
      name: "comparisons",
      seeds: [{ kind: "sealed", text: lines.map((line) => `${readChecksum(line)?.body ?? line}}`).join("\n") }],
      async put(text) {
        const before = readFileSync(place("record.jsonl"), "utf8");
        write(place("record.jsonl"), withSeals(text));
        try {
          await forPeople(async () => compare({ ...HERE, cwd: shop, before: first, now: second }));
        } finally {
          write(place("record.jsonl"), before);
        }
      },
    },
  ];
}

/** What passes through a queue: whoever reaches it may write anything there, but cannot sign it. */
function messages(): Door {
  const signer = createSigner({ PROCTOR_FLEET_KEY: "0123456789abcdef0123456789abcdef" });
  const job = {
    id: "1",
    delivery: 1,
    exam: { hash: "a".repeat(64), bytes: 10 },
    job: { ask: { prompt: "x".repeat(9_000) } },
  };
  return {
    name: "messages",
    seeds: [{ id: "1" }, job].map((message) => ({ kind: "job", text: signer.sign("job", "session", message) })),
    async put(text) {
      signer.open("job", "session", text);
      await openBundle(Buffer.from(text), { hash: "a".repeat(64), bytes: text.length }).catch((error: unknown) => {
        if (!(error instanceof Error) || !/^the bundle/.test(error.message)) throw error;
      });
    },
  };
}

/** The page and every other report of a record that somebody else wrote, checksums and all. */
async function shown(root: string): Promise<Door[]> {
  const shop = await ranShop(root, "script:answers.yaml");
  const [id = ""] = readdirSync(join(shop, ".proctor", "runs"));
  const file = join(shop, ".proctor", "runs", id, "record.jsonl");
  const lines = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => `${readChecksum(line)?.body ?? line}}`);
  const some = [
    ...lines.slice(0, 6),
    ...lines.filter((line) => line.includes('"type":"trial"')).slice(0, 3),
    ...lines.slice(-1),
  ];
  const seeds = [lines, some].map((all) => ({ kind: "sealed", text: all.join("\n") }));
  const opened = async (text: string, look: (place: RecordPlace) => Promise<void>) => {
    write(file, withSeals(text));
    try {
      await look(await openRecord(shop, id));
    } catch (error) {
      if (!isForPeople(error)) throw error;
    }
  };
  return [
    {
      name: "pages",
      seeds,
      put: (text) =>
        opened(text, async (place) => {
          lookAt(await pageOfRun(place));
          const page = await servedData(place, { memory: new Map(), facts: new Map() });
          unpackPage(JSON.parse(JSON.stringify(packPage(page))));
          for (const { ask, run: number } of unpackTrials(JSON.parse(JSON.stringify(packTrials(page)))).slice(0, 3))
            await servedTranscript(place, "script:answers.yaml", ask, number);
        }),
    },
    {
      name: "reports",
      seeds,
      put: (text) =>
        opened(text, async (place) => {
          const { scores, since } = await report({ ...HERE, cwd: shop, run: file });
          for (const name of REPORTS)
            for await (const _ of renderPieces(name, scores, { since, source: recordSource(place) }));
        }),
    },
  ];
}

const REPORTS = ["terminal", "json", "junit", "markdown", "github", "gitlab", "sarif", "csv", "otlp"];

/** The page holds what it was given as data, and not one mark of it as markup. */
function lookAt(page: string): void {
  const empty = pageDocument("served");
  const marks = (text: string) => text.split("<").length;
  if (marks(page) !== marks(empty)) throw new Error("a page has markup that its template has not");
  const blocks = [...page.matchAll(/<script[^>]*type="[^"]*"[^>]*>([A-Za-z0-9+/=]*)<\/script>/g)].map(
    ([, block = ""]) => block,
  );
  if (blocks.length < 3) throw new Error("a page has no data");
  for (const block of blocks) if (block !== "") JSON.parse(gunzipSync(Buffer.from(block, "base64")).toString());
}

/** The files of an exam, as whoever has the key sends them. */
function bundles(): Door {
  const whole = `${JSON.stringify([
    ["exam.json", 2, 0],
    ["library/a/run.sh", 3, 1],
  ])}\n{}abc`;
  return {
    name: "bundles",
    seeds: [
      { kind: "whole", text: whole },
      { kind: "whole", text: '[["a",0,0]]\n' },
    ],
    async put(text) {
      const bytes = Buffer.from(text);
      await openBundle(gzipSync(bytes), { hash: sha256(bytes), bytes: bytes.length }).catch((error: unknown) => {
        if (!(error instanceof Error) || !/^the bundle/.test(error.message)) throw error;
      });
    },
  };
}

/** What a model has a shell do. */
function commands(): Door {
  return {
    name: "commands",
    seeds: [
      "cd skills && cat one/SKILL.md | head -20; sed -n '1,5p' \"$PWD/two/SKILL.md\"",
      "for f in {a,b}/*.md; do cat \"$f\"; done; x=$(cat <<'EOF'\nhello $y\nEOF\n)",
      "bash -c 'cat skills/one/SKILL.md' && find . -name SKILL.md -exec cat {} \\; ; grep -r x . || eval \"cat $z\"",
      'if [[ -f a ]]; then (cat a) >b 2>&1; fi; f() { cat "$1"; }; f a.md; case $x in a) cat c;; esac; $((1+2)) `cat d`',
    ].map((text) => ({ kind: "bash", text })),
    async put(text) {
      const opens = openedFiles(text, "/w");
      for (const file of ["/w/skills/one/SKILL.md", "/w/a.md"]) opens(file);
    },
  };
}

function testCode(root: string): Door {
  copyInto(join(SHOP, "skills"), join(root, "skills"));
  return {
    name: "test code",
    seeds: [
      {
        kind: "tests/triggers.test.ts",
        text: 'const shouldTrigger = ["Where is my order?", `Track it`];\ntest.each([["Refund me", "refund-policy"]])("%s", (prompt, expected) => {\n  expect(route(prompt).triggered).toBe(true);\n});\nconst skill = "order-status";\n',
      },
      {
        kind: "tests/test_routing.py",
        text: 'CASES = [("Where is it?", "order-status"), ("Hello", None)]\n@pytest.mark.parametrize("prompt,expected", [("a", "gift-cards")])\ndef test_route(prompt, expected):\n    assert not triggered(prompt)\n',
      },
    ],
    async put(text, kind) {
      write(join(root, kind), text);
      const { libraries, files } = await discover({ cwd: root, root });
      for (const library of libraries) await readTestCode(files, library);
      rmSync(join(root, kind));
    },
  };
}

async function checkAll(root: string): Promise<void> {
  const checked = await check({ ...HERE, cwd: root });
  const read = remember((file) => readFileSync(file, "utf8"));
  checkText(checked, { width: 100, quiet: false, verbose: true, read });
  checkJson(checked);
  checkSarif(checked, {});
  checkGithub(checked);
}

/** A copy of the shop in which a run has been made. */
async function ranShop(root: string, target: string): Promise<string> {
  copyInto(SHOP, root);
  rmSync(join(root, ".proctor"), { recursive: true, force: true });
  write(join(root, "answers.yaml"), "default: { skills: [order-status] }\n");
  await run({ ...HERE, cwd: root, targets: [target], runs: 1 });
  return root;
}

/** What is told to a person as it is: usage errors. */
function isForPeople(error: unknown): boolean {
  return error instanceof Error && error.name === "UsageError";
}

function filesIn(dir: string, name: RegExp, path = /(?:)/): { kind: string; text: string }[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((one) => name.test(one) && path.test(one) && statSync(join(dir, one)).isFile())
    .sort()
    .map((one) => ({ kind: one, text: readFileSync(join(dir, one), "utf8") }));
}

function copyInto(from: string, to: string): void {
  for (const { kind, text } of filesIn(from, /./)) if (!kind.startsWith(".proctor")) write(join(to, kind), text);
}

function folder(root: string, name: string): string {
  const dir = join(root, name);
  mkdirSync(join(dir, ".git"), { recursive: true });
  return dir;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
