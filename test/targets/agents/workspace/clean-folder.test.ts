import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { possiblePlaces, workspacePlace } from "../../../../src/targets/agents/workspace/clean-folder.ts";
import { createWorkspace, sweepWorkspaces } from "../../../../src/targets/agents/workspace/workspace.ts";

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(workspacePlace(), "place-test-")));
  for (const place of ["mine/tmp", "clean"]) mkdirSync(join(dir, place), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("where workspaces are", () => {
  test.each([".github/skills", ".agents", ".claude", ".opencode", ".qwen"])("not below a folder with %s", (name) => {
    mkdirSync(join(dir, "mine", name), { recursive: true });
    expect(workspacePlace([join(dir, "mine", "tmp"), join(dir, "clean")])).toBe(join(dir, "clean"));
  });

  test.each(["AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md", "opencode.json", "opencode.jsonc", ".mcp.json"])(
    "not below a folder with %s",
    (name) => {
      writeFileSync(join(dir, "mine", name), "");
      expect(workspacePlace([join(dir, "mine", "tmp"), join(dir, "clean")])).toBe(join(dir, "clean"));
    },
  );

  test("in the first place that is clean", () => {
    expect(workspacePlace([join(dir, "mine", "tmp"), join(dir, "clean")])).toBe(join(dir, "mine", "tmp"));
  });

  test("nowhere, with the name of the file that is in the way, when none is clean", () => {
    writeFileSync(join(dir, "mine", "AGENTS.md"), "");
    expect(() => workspacePlace([join(dir, "mine", "tmp")])).toThrow(join(dir, "mine", "AGENTS.md"));
  });

  test("with TMPDIR below such a folder, elsewhere, and swept there", async () => {
    const before = process.env["TMPDIR"];
    try {
      mkdirSync(join(dir, "mine", ".agents"));
      process.env["TMPDIR"] = join(dir, "mine", "tmp");
      const workspace = await createWorkspace({ skills: [], skillsDir: ".", files: [], keep: false });
      expect(workspace.root.startsWith(dir)).toBe(false);
      expect(possiblePlaces().some((place) => workspace.root.startsWith(place))).toBe(true);
      await workspace.dispose();
      await sweepWorkspaces();
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
  });
});
