import { expect, test } from "vitest";
import { memberMatcher } from "../../src/exam/find/discovery/glob.ts";

test.each<[glob: string, matching: string[], others: string[]]>([
  ["skills", ["skills", "skills/a", "skills/a/b"], ["skill", "skills-old", "x/skills"]],
  ["./skills/", ["skills", "skills/a"], ["x/skills"]],
  ["skills/*", ["skills/a", "skills/a/b", "skills/.a"], ["skills", "other/a"]],
  ["**/skills", ["skills", "a/skills", "a/b/skills/c"], ["a/skill"]],
  ["plugins/**", ["plugins/a", "plugins/a/b", "plugins"], ["a/plugins"]],
  ["plugins/{shop,office}/skills", ["plugins/shop/skills/a", "plugins/office/skills"], ["plugins/home/skills"]],
  ["plugins/sh?p", ["plugins/shop"], ["plugins/shp", "plugins/shoop"]],
  ["plugins/[a-m]*", ["plugins/home"], ["plugins/shop"]],
  [".claude/skills", [".claude/skills/a"], ["claude/skills/a"]],
  ["*/skills", [".claude/skills/a", "a/skills"], ["a/b/skills"]],
  [".", ["", "a", ".claude/skills/a"], []],
  ["", ["", "a"], []],
  ["**", ["", "a/b"], []],
  ["*", ["", "a", "a/b"], []],
  ["a+b (c)", ["a+b (c)", "a+b (c)/d"], ["aab (c)", "a+b c"]],
])("the glob %j", (glob, matching, others) => {
  const matches = memberMatcher([glob]);
  expect(matching.filter((path) => !matches(path))).toEqual([]);
  expect(others.filter((path) => matches(path))).toEqual([]);
});

test("of several globs one is enough", () => {
  const matches = memberMatcher(["a", "b/*"]);
  expect(["a/x", "b/x", "c/x"].filter(matches)).toEqual(["a/x", "b/x"]);
});
