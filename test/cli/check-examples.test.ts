import { expect, test, vi } from "vitest";
import { main } from "../../src/cli/program.ts";

async function check(path: string) {
  const out: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => out.push(String(text)) > 0);
  process.exitCode = undefined;
  try {
    const code = await main(["node", "proctor", "check", path, "--format", "json"]);
    return { code, ...JSON.parse(out.join("")) };
  } finally {
    write.mockRestore();
    process.exitCode = undefined;
  }
}

test("the example shop has one problem, and it is the one its story needs", async () => {
  const { code, problems, summary } = await check("examples/shop");
  expect(problems.map((problem: { code: string; file: string }) => [problem.code, problem.file])).toEqual([
    ["skill/description-vague", "examples/shop/skills/product-faq/SKILL.md"],
  ]);
  expect(summary).toMatchObject({ skills: 7, suites: 9, questions: 56 });
  expect(code).toBe(0);
});

test("the example prompt folder is read with its eval.yml as it is", async () => {
  const { problems, summary } = await check("examples/eva-prompt");
  expect(problems).toEqual([]);
  expect(summary).toMatchObject({ skills: 1, suites: 1, questions: 8 });
});
