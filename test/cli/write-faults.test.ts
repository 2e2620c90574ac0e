import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { library, skill, useWorld } from "./route-world.ts";

const world = useWorld();
const suite = "skill_name: order-status\ntriggers:\n  - query: Where is my parcel?\n    should_trigger: true\n";
const isRoot = process.getuid?.() === 0 || process.platform === "win32";

test("init where a file is in the way says which, and blames nobody", async () => {
  await world.files({ ...library, "skills/order-status/evals": "not a folder\n" });
  const { code, err } = await world.proctor("init", "order-status");
  expect(code).toBe(2);
  expect(err).toMatch(
    /evals[\\/]triggers\.yaml cannot be written: .*\((?:EEXIST|ENOTDIR)\)\n {2}Choose another folder/,
  );
  expect(err).not.toContain("fault in Proctor");
});

test("import to a file says that a folder is needed", async () => {
  await world.files({ ...library, "slow.yaml": suite });
  const { code, err } = await world.proctor("import", "slow.yaml", "--to", "slow.yaml");
  expect(code).toBe(2);
  expect(err).toMatch(/cannot be written: .*\((?:EEXIST|ENOTDIR)\)/);
  expect(err).not.toContain("fault in Proctor");
});

test.skipIf(isRoot)("check --fix in a read-only folder says what may not be written", async () => {
  await world.files({
    "skills/a/SKILL.md": skill("a", "x").replace('"x"', "Does this: and that. Use when it is needed."),
  });
  await chmod(join(world.folder, "skills/a"), 0o555);
  const { code, err } = await world.proctor("check", "--fix");
  await chmod(join(world.folder, "skills/a"), 0o755);
  expect(code).toBe(2);
  expect(err).toMatch(
    /SKILL\.md cannot be written: you have no permission to write there \(EACCES\)\n {2}Make it writable/,
  );
});
