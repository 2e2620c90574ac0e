import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadConfig, removedOptions } from "../../src/base/options/index.ts";
import { main } from "../../src/cli/program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "proctor-removed-"));
  removedOptions["oldWay"] = "it never worked. Use --failed.";
});
afterEach(() => {
  delete removedOptions["oldWay"];
  rmSync(folder, { recursive: true, force: true });
});

test("a removed variable is refused with what to write instead", async () => {
  await expect(loadConfig({ cwd: folder, env: { PROCTOR_OLD_WAY: "1" } })).rejects.toThrow(
    "PROCTOR_OLD_WAY is gone: it never worked. Use --failed.",
  );
});

test("a removed key of the configuration is refused with its line", async () => {
  writeFileSync(join(folder, "proctor.config.yaml"), "jobs: 3\nold_way: true\n");
  await expect(loadConfig({ cwd: folder, env: {} })).rejects.toThrow(
    "proctor.config.yaml:2: old_way is gone: it never worked. Use --failed.",
  );
});

test.each(["--old-way", "--old-way=yes"])("a removed flag is exit 2 and one sentence: %s", async (flag) => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const code = await main(["node", "proctor", "run", flag]);
  const text = written.mock.calls.map(([chunk]) => String(chunk)).join("");
  written.mockRestore();
  expect({ code, text }).toEqual({ code: 2, text: "proctor: --old-way is gone: it never worked. Use --failed.\n" });
});
