import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig } from "../../src/options/index.ts";

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
  ["ts", 'import { defineConfig } from "proctor";\nexport default defineConfig({ jobs: 3 as number, targets: ["embedded"] });\n'],
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
  const { config } = await load({ PROCTOR_JOBS: "7", PROCTOR_TARGETS: "embedded, claude:haiku", PROCTOR_CACHE: "false" });
  expect(config).toEqual({ jobs: 7, runs: 5, targets: ["embedded", "claude:haiku"], cache: false });
});

test("a variable that is no number is refused by name", async () => {
  await expect(load({ PROCTOR_JOBS: "many" })).rejects.toThrow("PROCTOR_JOBS=many is not valid. It must be a whole number, 1 or more.");
});

test("an unknown key is refused with its line and the nearest name", async () => {
  writeFileSync(join(folder, "proctor.config.yaml"), "jobs: 3\nthresold: 0.5\n");
  await expect(load()).rejects.toThrow("proctor.config.yaml:2: unknown key thresold. Did you mean threshold?");
});

test("a wrong value is refused with its line", async () => {
  writeFileSync(join(folder, "proctor.config.json"), '{\n  "jobs": 3,\n  "threshold": 2\n}');
  await expect(load()).rejects.toThrow(/proctor\.config\.json:3: threshold is not valid/);
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
