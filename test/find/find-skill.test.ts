import { join } from "node:path";
import { expect, test } from "vitest";
import { discover, findSkill } from "../../src/exam/find/index.ts";
import { skillText, tree } from "./tree.ts";

test("a skill is found by identity and never by likeness", async () => {
  const root = tree({
    ".git/HEAD": "",
    "plugins/north/skills/box-sorter/SKILL.md": skillText("boxes"),
    "plugins/south/skills/boxes/SKILL.md": skillText("boxes"),
    "skills/lids/SKILL.md": skillText("lid-sorter"),
    ".claude/skills/lids/SKILL.md": skillText("lid-sorter"),
    "skills/lid-sorter-two/SKILL.md": skillText("lids-two"),
  });
  const { libraries } = await discover({ cwd: root });
  const found = (name: string) => findSkill(libraries[0]!, name).map(({ id }) => id);

  for (const name of [
    "lid-sorter",
    "/lid-sorter",
    "$lid-sorter",
    "lids",
    "skills/lids",
    "./skills/lids",
    join(root, "skills/lids"),
  ]) {
    expect(found(name), name).toEqual(["lid-sorter"]);
  }
  expect(found(join(root, "skills/lids/SKILL.md"))).toEqual(["lid-sorter"]);
  expect(found(".claude/skills/lids/SKILL.md")).toEqual(["lid-sorter"]);
  expect(found("boxes")).toEqual(["north:boxes", "south:boxes"]);
  expect(found("north:boxes")).toEqual(["north:boxes"]);
  expect(found("/south:boxes")).toEqual(["south:boxes"]);
  expect(found("north:box-sorter")).toEqual(["north:boxes"]);
  for (const name of ["lid", "sorter", "Lids", "north", "", "/", "west:boxes", "skills"])
    expect(found(name), name).toEqual([]);
});
