import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test, vi } from "vitest";
import { schemaFiles } from "../../scripts/schemas.ts";
import { main } from "../../src/cli/program.ts";
import { discover } from "../../src/exam/find/index.ts";
import { importSuites } from "../../src/exam/read/index.ts";
import { folderOf, readFolder, sentence } from "./library.ts";

const foreign = {
  "tests/routing.jsonl": [
    { id: 1, task: "Where is my  parcel?\nTell me", expect: "order-status", distractor: "refund-policy" },
    { id: 2, task: "Is it open?", expect: [] },
    { id: 3, task: "Wrap and track", expect: ["gift-wrap", "order-status"], acceptable_skills: ["size-guide"] },
  ]
    .map((row) => JSON.stringify(row))
    .join("\n"),
  "skills/size-guide/tests/trigger_tests.yaml":
    'skill: size-guide\nshould_trigger_prompts: [{ prompt: "Which size?", reason: direct }]\nshould_not_trigger_prompts: [{ prompt: "Which colour?" }]\n',
  "evals/order/eval.yaml":
    "name: n\nskill: order-status\nconfig: { trials_per_task: 2, timeout_seconds: 9, model: m }\ntasks: [tasks/*.yaml]\n",
  "evals/order/tasks/a.yaml":
    'id: a\ninputs: { prompt: "Do it", files: [{ path: x.txt, content: y }] }\ngraders: [{ type: text, config: { contains: [z] } }]\n',
  "skills/gift-wrap/evals/evals.json": JSON.stringify({
    evals: [{ id: 7, prompt: "Wrap {{it}}", expectations: ["It has a bow"], files: ["files/paper.txt"] }],
  }),
  "skills/gift-wrap/evals/files/paper.txt": "red",
};

async function importInto(root: string, to: string, from = root, force = false) {
  const { libraries, files } = await discover({ cwd: root, root });
  return importSuites({ library: libraries[0]!, files, from, to: join(root, to), force });
}

function tree(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, name);
    if (statSync(path).isFile()) files[name.replaceAll("\\", "/")] = readFileSync(path, "utf8");
  }
  return files;
}

test("what is imported says the same as what it came from", async () => {
  const root = folderOf(foreign);
  const before = (await readFolder(root)).suites.flatMap((suite) => suite.triggers.map(sentence));
  await importInto(root, "native");
  const library = folderOf(
    Object.fromEntries(Object.entries(tree(join(root, "native"))).map(([path, text]) => [`evals/${path}`, text])),
  );
  const { suites } = await readFolder(library);
  expect(suites.flatMap((suite) => suite.problems)).toEqual([]);
  const after = suites.flatMap((suite) => suite.triggers.map(sentence));
  expect(after.sort()).toEqual(before.sort());
  expect(after).toContain("Where is my  parcel?\nTell me: +order-status -refund-policy");
  expect(suites.flatMap((suite) => suite.cases)).toMatchObject([
    {
      skill: "gift-wrap",
      id: "7",
      prompt: "Wrap {{it}}",
      graders: [{ type: "expectations", config: { statements: ["It has a bow"] } }],
      files: [{ path: "paper.txt" }],
    },
    {
      skill: "order-status",
      id: "a",
      prompt: "Do it",
      runs: 2,
      limits: { timeoutSeconds: 9 },
      graders: [{ type: "text", config: { contains: ["z"] } }],
      files: [{ path: "x.txt", content: "y" }],
    },
  ]);
});

test("importing twice gives the same bytes, and says what it could not carry over", async () => {
  const root = folderOf(foreign);
  const first = await importInto(root, "native");
  const bytes = tree(join(root, "native"));
  const second = await importInto(root, "native");
  expect(tree(join(root, "native"))).toEqual(bytes);
  expect(first.written.every(({ same }) => !same) && second.written.every(({ same }) => same)).toBe(true);
  expect(first.lost).toEqual(["evals/order/eval.yaml: the model m (choose targets with -t)"]);
});

test("a file that differs is not replaced unless asked", async () => {
  const root = folderOf({ ...foreign, "native/triggers.json": "mine" });
  await expect(importInto(root, "native")).rejects.toThrow(
    "native/triggers.json exists and differs; nothing was written",
  );
  expect(tree(join(root, "native"))).toEqual({ "triggers.json": "mine" });
  await importInto(root, "native", root, true);
  expect(tree(join(root, "native"))["triggers.json"]).toContain('"triggers"');
});

test("the JSON Schemas are current (node --import jiti/register scripts/schemas.ts writes them), and what is imported is valid", async () => {
  const files = schemaFiles();
  for (const [name, text] of Object.entries(files))
    expect(readFileSync(join("schemas", name), "utf8"), name).toBe(text);
  const root = folderOf(foreign);
  await importInto(root, "native");
  const ajv = new Ajv2020();
  for (const [path, text] of Object.entries(tree(join(root, "native")))) {
    if (!path.endsWith(".json")) continue;
    const validate = ajv.compile(
      JSON.parse(files[path.endsWith("evals.json") ? "evals.schema.json" : "triggers.schema.json"]!),
    );
    expect(validate(JSON.parse(text)), `${path} ${JSON.stringify(validate.errors)}`).toBe(true);
  }
});

test("proctor import says what it wrote, and what it could not carry over", async () => {
  const root = folderOf(foreign);
  const out: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => out.push(String(text)) > 0);
  const failure = vi.spyOn(process.stderr, "write").mockImplementation((text) => out.push(String(text)) > 0);
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(root);
  onTestFinished(() => {
    for (const spy of [write, failure, cwd]) spy.mockRestore();
  });
  expect(await main(["node", "proctor", "import", "tests/routing.jsonl", "--to", "native"])).toBe(0);
  const twice = (from: string) =>
    `\nThe originals in ${from} are still read, so every question would be asked twice.\nnext: compare (proctor check), then delete the originals or move them out of this folder\n`;
  expect(out.join("")).toBe(`wrote native/triggers.json  3 triggers\n${twice("tests/routing.jsonl")}`);
  out.length = 0;
  expect(await main(["node", "proctor", "import", "evals", "--to", "native"])).toBe(0);
  expect(out.join("")).toBe(
    `wrote native/order-status/evals.json  1 case\n\nnot carried over:\n  evals/order/eval.yaml: the model m (choose targets with -t)\n${twice("evals")}`,
  );
  out.length = 0;
  expect(await main(["node", "proctor", "import", "nowhere", "--to", "native"])).toBe(2);
  expect(out.join("")).toContain("There is no file or folder nowhere");
});
