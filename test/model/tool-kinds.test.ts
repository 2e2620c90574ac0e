import { expect, test } from "vitest";
import { toolKind, toolNames } from "../../src/model/index.ts";

test.each([
  ["Bash", {}, "shell"],
  ["exec_command", { cmd: "ls" }, "shell"],
  ["run_shell_command", {}, "shell"],
  ["Read", {}, "read"],
  ["view", {}, "read"],
  ["write_file", {}, "write"],
  ["apply_patch", {}, "edit"],
  ["str_replace_editor", { command: "create" }, "write"],
  ["str_replace_editor", { command: "view" }, "read"],
  ["Grep", {}, "search"],
  ["google_web_search", {}, "web"],
  ["activate_skill", {}, "skill"],
  ["mcp__github__create_issue", {}, "mcp:github/create_issue"],
  ["something_new", {}, "other"],
])("%s %j is %s", (tool, input, kind) => {
  expect(toolKind(tool, input)).toBe(kind);
});

test("an assertion about one host's shell works on every other", () => {
  for (const own of ["Bash", "bash", "exec_command", "run_shell_command"])
    for (const other of ["Bash", "bash", "exec_command", "run_shell_command", "shell"])
      expect(toolNames(own)).toContain(other);
  expect(toolNames("Write")).not.toContain("Edit");
});
