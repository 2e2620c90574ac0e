import { afterAll, expect, test, vi } from "vitest";
import { folderOf } from "./library.ts";

// All that adding a format takes beside its folder: a line in the list.
vi.resetModules();
vi.doMock("../../src/formats/list.ts", async (original) => {
  const [{ formats }, { quiz }] = await Promise.all([
    original<typeof import("../../src/formats/list.ts")>(),
    import("./quiz/index.ts"),
  ]);
  return { formats: [quiz, ...formats] };
});
const { runMain } = await import("../cli/run-main.ts");
afterAll(() => {
  vi.doUnmock("../../src/formats/list.ts");
  vi.resetModules();
});

const questions = "quiz:\n  - ask: Parcel?\n    goes_to: order-status\n  - ask: Ribbon?\n    goes_to: gift-wrap\n";
const answers = "answers:\n  - query: Parcel?\n    skills: [order-status]\n  - query: Ribbon?\n    skills: []\n";

test("proctor run asks its questions, though nothing in the file's path or words suggests a suite", async () => {
  const root = folderOf({ "sheet.yaml": questions, "answers.yaml": answers });
  const flags = ["-t", "script:answers.yaml", "--runs", "1", "--reporter", "csv"];
  const { code, stdout } = await runMain(root, ["run", ...flags]);
  expect(stdout).toMatch(/Parcel\?,.*\bpass\b/);
  expect(stdout).toMatch(/Ribbon\?,.*\bfail\b/);
  expect(code).toBe(1);
});
