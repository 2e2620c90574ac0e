import { expect, test } from "vitest";
import { startsInShellOnly } from "../../../../src/targets/agents/process/on-path.ts";

test.each([
  ["C:\\Users\\a\\AppData\\npm\\claude.cmd", "win32", true],
  ["C:\\tools\\CODEX.BAT", "win32", true],
  ["C:\\tools\\claude.exe", "win32", false],
  ["/usr/local/bin/claude.cmd", "linux", false],
] as const)("%s on %s: only a shell could start it is %s", (path, platform, expected) => {
  expect(startsInShellOnly(path, platform)).toBe(expected);
});
