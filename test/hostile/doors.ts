import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pc from "picocolors";
import { check, report, run, trials } from "../../src/api/index.ts";
import { remember } from "../../src/base/index.ts";
import { gradeQuestion } from "../../src/graders/index.ts";
import { loadAdapters } from "../../src/hosts/index.ts";
import type { AgentAdapter } from "../../src/hosts/reading/index.ts";
import { jsonLines } from "../../src/hosts/reading/json.ts";
import { StagedSkills } from "../../src/hosts/reading/staged-skills.ts";
import { loadConfig } from "../../src/options/index.ts";
import { sealed, unsealed } from "../../src/records/seal.ts";
import { checkGithub, checkJson, checkSarif, checkText, renderReport, trialText } from "../../src/reports/index.ts";
import { discover, type Library } from "../../src/skills/index.ts";
import { createRouter } from "../../src/targets/embedded/index.ts";
import { parseDecision } from "../../src/targets/models/judge.ts";
import { parseRoute } from "../../src/targets/models/router.ts";

/** A place where text that somebody else wrote comes in. */
export interface Door {
  name: DoorName;
  /** What such a text looks like, as kind (a file's name, a host) and text. */
  seeds: { kind: string; text: string }[];
  /** Takes a text in and all the way to what is printed. Throws what nobody may see; a Problem or an error outcome is no throw. */
  put(text: string, kind: string): Promise<void>;
}

export const DOORS = ["skills", "suites", "configurations", "records", "cache", "streams", "replies"] as const;
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
    seeds: [...Object.entries(SUITES).map(([kind, text]) => ({ kind, text })), ...filesIn(SHOP, /\.(?:json|yaml|jsonl)$/, /evals/)],
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
    .map((line) => `${unsealed(line)?.body ?? line}}`);
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
    const { text: whole, sum } = sealed(line, number, seed);
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
        { id: "alpha", folder: "alpha", name: "alpha", dir, file: `${dir}/SKILL.md`, description: "Draws alpha charts.", body },
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

async function checkAll(root: string): Promise<void> {
  const checked = await check({ ...HERE, cwd: root });
  const read = remember((file) => readFileSync(file, "utf8"));
  checkText(checked, { colors: PLAIN, width: 100, quiet: false, verbose: true, read });
  checkJson(checked);
  checkSarif(checked, () => undefined);
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
