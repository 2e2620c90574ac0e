import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { checkSuites } from "../../src/check/index.ts";
import { main } from "../../src/cli/program.ts";
import { discover } from "../../src/exam/find/index.ts";
import { readSuites, readSuitesByLibrary } from "../../src/exam/read/index.ts";
import type { Question } from "../../src/model/index.ts";
import { check } from "../../src/verbs/index.ts";
import { folderOf } from "./library.ts";

const split = { shop: ["shop/*"], care: ["care/*"] };
const skills = ["shop/order-status", "shop/gift-wrap", "care/warranty", "care/repairs"];

const triggers = (...rows: object[]) => JSON.stringify({ triggers: rows });
const rows = (...list: object[]) => JSON.stringify(list);

/** Which question went to which library: `library: prompt (skill)`. */
async function questionsIn(
  files: Record<string, string>,
  { libraries = split, names = skills, paths = [] as string[] } = {},
) {
  const root = folderOf(files, names);
  const discovery = await discover({ cwd: root, root, libraries });
  const read = await readSuitesByLibrary({
    ...discovery,
    ...(paths.length > 0 && { paths: paths.map((path) => join(root, path)) }),
  });
  const all = read.flatMap(({ library, suites }) =>
    suites.flatMap((suite) => [...suite.triggers, ...suite.cases].map((question) => ({ library, question }))),
  );
  return {
    root,
    read,
    asked: all
      .map(({ library, question }) => `${library.name}: ${promptOf(question)} (${question.skill ?? "-"})`)
      .sort(),
    problems: read.flatMap(({ suites, problems }) => [...problems, ...suites.flatMap((suite) => suite.problems)]),
    checked: read.flatMap(checkSuites),
  };
}

function promptOf(question: Question): string | undefined {
  return question.kind === "trigger" ? question.query : question.prompt;
}

describe("with several libraries", () => {
  test("a suite in a skill's folder is asked in the library of that skill, and nobody complains", async () => {
    const { asked, problems } = await questionsIn({
      "shop/order-status/evals/triggers.json": triggers({ query: "Where is my parcel?", should_trigger: true }),
      "care/warranty/evals/triggers.json": triggers({ query: "Is it still covered?", should_trigger: true }),
    });
    expect(asked).toEqual(["care: Is it still covered? (warranty)", "shop: Where is my parcel? (order-status)"]);
    expect(problems).toEqual([]);
  });

  test("a suite beside the skills belongs to the library that has a skill of its folder's name", async () => {
    const { asked } = await questionsIn({
      "evals/repairs/triggers.json": triggers({ query: "It broke", should_trigger: true }),
      "evals/gift-wrap/evals.json": JSON.stringify({ evals: [{ prompt: "Wrap it", expectations: ["It is wrapped"] }] }),
    });
    expect(asked).toEqual(["care: It broke (repairs)", "shop: Wrap it (gift-wrap)"]);
  });

  test("the rows of one file go to the libraries of the skills they name", async () => {
    const { asked, read } = await questionsIn({
      "evals/routing.json": rows(
        { query: "Where is my parcel?", expected_skill: "order-status" },
        { query: "Wrap it, please", expected_skill: "gift-wrap" },
        { query: "Is it still covered?", expected_skill: "warranty" },
      ),
    });
    expect(asked).toEqual([
      "care: Is it still covered? (-)",
      "shop: Where is my parcel? (-)",
      "shop: Wrap it, please (-)",
    ]);
    expect(read.map(({ suites }) => suites.length)).toEqual([1, 1]);
  });

  test("a question that names no skill is asked where most of its suite's skills are", async () => {
    const { asked } = await questionsIn({
      "evals/routing.json": rows(
        { query: "Where is my parcel?", expected_skill: "order-status" },
        { query: "Wrap it, please", expected_skill: "gift-wrap" },
        { query: "Is it still covered?", expected_skill: "warranty" },
        { query: "Tell me a joke", expected_skill: "none" },
      ),
    });
    expect(asked.filter((line) => line.includes("joke"))).toEqual(["shop: Tell me a joke (-)"]);
  });

  test("and in every library where none has a better claim", async () => {
    const { asked } = await questionsIn({
      "evals/routing.json": rows({ query: "Tell me a joke", expected_skill: "none" }),
    });
    expect(asked).toEqual(["care: Tell me a joke (-)", "shop: Tell me a joke (-)"]);
  });

  test("a skill that no library knows is reported once, in the library of its suite", async () => {
    const { asked, checked } = await questionsIn({
      "evals/routing.json": rows(
        { query: "Is it still covered?", expected_skill: "warranty" },
        { query: "It broke", expected_skill: "repairs" },
        { query: "Where is my parcel?", expected_skill: "order-status" },
        { query: "Where are you?", expected_skill: "store-finder" },
      ),
    });
    expect(asked.filter((line) => line.includes("Where are you?"))).toEqual(["care: Where are you? (-)"]);
    expect(checked.filter(({ code }) => code === "suite/unknown-skill").map(({ message }) => message)).toEqual([
      'There is no skill "store-finder" in the library. This question is not asked.',
    ]);
  });

  test("a suite that is at fault, and a file that cannot be read, are each reported once", async () => {
    const { problems, read } = await questionsIn({
      "evals/warranty/triggers.json": triggers(
        { query: "Is it still covered?", should_trigger: true },
        { query: "Broken?" },
      ),
      "care/repairs/evals/triggers.json": "{ not json",
    });
    expect(problems.map(({ code }) => code).sort()).toEqual(["suite/invalid", "suite/unreadable"]);
    expect(read.find(({ library }) => library.name === "care")?.problems).toHaveLength(1);
  });
});

describe("where two libraries have a skill of one name", () => {
  const names = ["shop/order-status", "shop/gift-wrap", "care/order-status", "care/repairs"];

  test("a suite in the folder of one of them is that one's", async () => {
    const { asked } = await questionsIn(
      { "care/order-status/evals/triggers.json": triggers({ query: "Where is my spare part?", should_trigger: true }) },
      { names },
    );
    expect(asked).toEqual(["care: Where is my spare part? (order-status)"]);
  });

  test("a suite beside them is asked in both, each time about the library's own skill", async () => {
    const { asked, read, problems, checked } = await questionsIn(
      { "evals/order-status/triggers.json": triggers({ query: "Where is it?", should_trigger: true }) },
      { names },
    );
    expect(asked).toEqual(["care: Where is it? (order-status)", "shop: Where is it? (order-status)"]);
    expect(
      read.flatMap(({ suites }) =>
        suites.flatMap(({ triggers }) => triggers.map(({ expect }) => expect.required_skills)),
      ),
    ).toEqual([["order-status"], ["order-status"]]);
    expect(problems).toEqual([]);
    expect(checked.filter(({ code }) => code.startsWith("suite/"))).toEqual([]);
  });
});

test("check counts and reports a question of two libraries once", async () => {
  const root = folderOf(
    {
      "evals/order-status/triggers.json": triggers(
        { query: "Where is it?", should_trigger: true },
        { query: "/order-status now", should_trigger: true },
      ),
    },
    ["shop/order-status", "care/order-status"],
  );
  const checked = await check({ cwd: root, config: { libraries: split } });
  expect({ suites: checked.suites, questions: checked.questions }).toEqual({ suites: 1, questions: 2 });
  expect(checked.problems.filter(({ code }) => code === "suite/command")).toHaveLength(1);
});

test("a question has the id it would have if its library stood alone", async () => {
  const files = {
    "shop/order-status/evals/triggers.json": triggers({ query: "Where is my parcel?", should_trigger: true }),
    "care/order-status/evals/triggers.json": triggers({ query: "Where is my spare part?", should_trigger: true }),
  };
  const { root, read } = await questionsIn(files, { names: ["shop/order-status", "care/order-status"] });
  const { files: found } = await discover({ cwd: root, root });
  for (const { library, suites } of read) {
    const alone = await readSuites({
      library,
      files: found.filter((file) => file.startsWith(join(root, library.name))),
    });
    expect(suites.flatMap((suite) => suite.triggers)).toEqual(alone.suites.flatMap((suite) => suite.triggers));
  }
});

test("one library is read as it always was", async () => {
  const root = folderOf({ "evals/routing.json": rows({ query: "Where is it?", expected_skill: "order-status" }) });
  const discovery = await discover({ cwd: root, root });
  const [library] = discovery.libraries;
  const alone = await readSuites({ library: library!, files: discovery.files });
  expect(await readSuitesByLibrary(discovery)).toEqual([{ library, ...alone }]);
});

test("a path chooses questions in it and about skills in it; a SKILL.md stands for its skill", async () => {
  const files = {
    "evals/warranty/triggers.json": triggers({ query: "Is it still covered?", should_trigger: true }),
    "shop/gift-wrap/evals/triggers.json": triggers({ query: "Wrap it", should_trigger: true }),
    "care/repairs/evals/triggers.json": triggers({ query: "It broke", should_trigger: true }),
  };
  expect((await questionsIn(files, { paths: ["shop"] })).asked).toEqual(["shop: Wrap it (gift-wrap)"]);
  expect((await questionsIn(files, { paths: ["care/warranty/SKILL.md"] })).asked).toEqual([
    "care: Is it still covered? (warranty)",
  ]);
});

test("what check finds nothing wrong with, run asks: each suite in its own library", async () => {
  const root = folderOf(
    {
      "proctor.config.yaml": "libraries:\n  shop: shop/*\n  care: care/*\n",
      "shop/order-status/evals/triggers.json": triggers({ query: "Where is my order?", should_trigger: true }),
      "care/warranty/evals/triggers.json": triggers({ query: "Is my warranty over?", should_trigger: true }),
    },
    skills,
  );
  const out: string[] = [];
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text) => out.push(String(text)) > 0),
    vi.spyOn(process, "cwd").mockReturnValue(root),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  expect(await main(["node", "proctor", "check"])).toBe(0);
  out.length = 0;
  expect(await main(["node", "proctor", "run", "--dry-run"])).toBe(0);
  expect(out.join("").match(/library (?:shop|care): 2 skills .* 1 question/g)).toHaveLength(2);
});
