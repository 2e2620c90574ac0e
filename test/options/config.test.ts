import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig } from "../../src/base/options/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "proctor-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const load = (env: Record<string, string> = {}, file?: string, cwd = folder) =>
  loadConfig({ cwd, env, ...(file === undefined ? {} : { file }) });

test("without a file there is an empty configuration", async () => {
  expect(await load()).toEqual({ config: {}, environment: {}, root: folder });
});

test.each([
  ["yaml", "jobs: 3\ntargets: [embedded]\n"],
  ["json", '{ "jobs": 3, "targets": ["embedded"] }'],
  [
    "ts",
    'import { defineConfig } from "proctor";\nexport default defineConfig({ jobs: 3 as number, targets: ["embedded"] });\n',
  ],
  ["js", 'export default { jobs: 3, targets: ["embedded"] };\n'],
  ["mjs", 'export default { jobs: 3, targets: ["embedded"] };\n'],
])("a configuration can be written in %s", async (extension, text) => {
  writeFileSync(join(folder, `proctor.config.${extension}`), text);
  const loaded = await load();
  expect(loaded.config).toEqual({ jobs: 3, targets: ["embedded"] });
  expect(loaded.file).toBe(join(folder, `proctor.config.${extension}`));
});

test("a variable beats the file", async () => {
  writeFileSync(join(folder, "proctor.config.yaml"), "jobs: 3\nruns: 5\n");
  const { config } = await load({
    PROCTOR_JOBS: "7",
    PROCTOR_TARGETS: "embedded, claude:haiku",
    PROCTOR_CACHE: "false",
  });
  expect(config).toEqual({ jobs: 7, runs: 5, targets: ["embedded", "claude:haiku"], cache: false });
});

test("a variable that is no number is refused by name", async () => {
  await expect(load({ PROCTOR_JOBS: "many" })).rejects.toThrow(
    "PROCTOR_JOBS=many is not valid. It must be a whole number, 1 or more.",
  );
});

test("an unknown key is refused with its line and the nearest name", async () => {
  writeFileSync(join(folder, "proctor.config.yaml"), "jobs: 3\nthresold: 0.5\n");
  await expect(load()).rejects.toThrow(
    'proctor.config.yaml:2: There is no setting "thresold". Did you mean threshold?',
  );
});

test("a wrong value is refused with its line", async () => {
  writeFileSync(join(folder, "proctor.config.json"), '{\n  "jobs": 3,\n  "threshold": 2\n}');
  await expect(load()).rejects.toThrow("proctor.config.json:3: threshold: 2 is too large: at most 1 is allowed.");
});

test.each([
  ["libraries: [a]", "1: libraries: It is a list; a mapping is needed."],
  ["jobs: 2\ntargets:\n  - 3", "3: targets.0: It is 3; text or a mapping is needed."],
  [
    "targets:\n  - target: embedded\n    concurrency: many",
    '3: targets.0.concurrency: It is "many"; a number is needed.',
  ],
  ["targets:\n  - {}", "2: targets.0.target: It is missing; text is needed."],
  [
    "targets:\n  - target: embedded\n    concurency: 3",
    '3: targets.0: There is no setting "concurency". Did you mean concurrency?',
  ],
  ["budget:\n  usd: lots\n  foo: 1", '2: budget.usd: It is "lots"; a number is needed.'],
  ["jobs: 1.5", "1: jobs: It is 1.5; a whole number is needed."],
  ["libraries:\n  shop: 3", "2: libraries.shop: It is 3; text or a list is needed."],
  ["allow_predicted: 'yes'", '1: allow_predicted: It is "yes"; true or false is needed.'],
  ["rules:\n  skill/name: loud", '2: rules.skill/name: "loud" is none of off, info, warning, error.'],
  ["rules:", "1: rules: It is empty; a mapping is needed."],
  ["- a", "1: the configuration: It is a list; a mapping is needed."],
])("%j is refused in plain words", async (text, message) => {
  writeFileSync(join(folder, "proctor.config.yaml"), `${text}\n`);
  await expect(load()).rejects.toThrow(`proctor.config.yaml:${message}`);
});

test("broken YAML, broken code and a second file are refused", async () => {
  writeFileSync(join(folder, "proctor.config.yaml"), "jobs: [\n");
  await expect(load()).rejects.toMatchObject({
    message: expect.stringMatching(/not valid YAML: .*[^:]$/),
    hint: expect.stringMatching(/--config/),
  });
  writeFileSync(join(folder, "proctor.config.js"), "export default nothing.there;\n");
  await expect(load()).rejects.toThrow(/two configurations/);
  rmSync(join(folder, "proctor.config.yaml"));
  await expect(load()).rejects.toThrow(/could not be loaded/);
});

test("it is searched up to the repository's root and not beyond", async () => {
  const repository = join(folder, "repository");
  const deep = join(repository, "a", "b");
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(folder, "proctor.config.yaml"), "jobs: 1\n");
  expect((await load({}, undefined, deep)).config).toEqual({});
  mkdirSync(join(repository, ".git"));
  expect((await load({}, undefined, deep)).config).toEqual({});
  writeFileSync(join(repository, "proctor.config.yaml"), "jobs: 2\n");
  expect((await load({}, undefined, deep)).config).toEqual({ jobs: 2 });
});

test("a file named by hand must exist", async () => {
  await expect(load({}, "nowhere.yaml")).rejects.toThrow(/no configuration nowhere.yaml/);
  writeFileSync(join(folder, "other.yaml"), "jobs: 9\n");
  expect((await load({}, "other.yaml")).config).toEqual({ jobs: 9 });
});
