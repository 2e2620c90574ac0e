import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { discover, skillFiles, skillFilesFingerprint, skillFingerprint } from "../../src/exam/find/index.ts";
import { skillText, tree } from "./tree.ts";

async function load(root: string) {
  const { libraries } = await discover({ cwd: root, root });
  return libraries[0]!;
}

test("a library's fingerprint is of what decides who is activated, wherever it lies", async () => {
  const files = { "skills/boxes/SKILL.md": skillText("boxes"), "skills/lids/SKILL.md": skillText("lids") };
  const { fingerprint } = await load(tree(files));
  expect(
    (await load(tree({ "skills/lids/SKILL.md": skillText("lids"), "skills/boxes/SKILL.md": skillText("boxes") })))
      .fingerprint,
  ).toBe(fingerprint);
  expect((await load(tree({ ...files, "skills/boxes/SKILL.md": `${skillText("boxes")}More body.` }))).fingerprint).toBe(
    fingerprint,
  );
  expect(
    (await load(tree({ ...files, "skills/boxes/SKILL.md": skillText("boxes", "Other words.") }))).fingerprint,
  ).not.toBe(fingerprint);
  expect((await load(tree({ ...files, "skills/tape/SKILL.md": skillText("tape") }))).fingerprint).not.toBe(fingerprint);
});

test("a skill's fingerprint changes with its frontmatter, its folder's name and the hosts' files, not with its body", async () => {
  const of = async (files: Record<string, string>) => skillFingerprint((await load(tree(files))).skills[0]!);
  const text = skillText("boxes");
  const base = await of({ "boxes/SKILL.md": text });
  expect(await of({ "boxes/SKILL.md": `${text}More body.` })).toBe(base);
  expect(await of({ "boxes/SKILL.md": text.replace("name:", "user-invocable: false\nname:") })).not.toBe(base);
  expect(await of({ "crates/SKILL.md": text })).not.toBe(base);
  expect(
    await of({ "boxes/SKILL.md": text, "boxes/agents/openai.yaml": "policy: {allow_implicit_invocation: false}" }),
  ).not.toBe(base);
});

test("the files of a skill are all but its exam, and so is their fingerprint", async () => {
  const root = tree({
    "boxes/SKILL.md": skillText("boxes"),
    "boxes/references/sizes.md": "big",
    "boxes/scripts/run.py": "pass",
    "boxes/evals/triggers.json": "[]",
    "boxes/trigger_tests.yaml": "",
    "boxes/evals.json": "[]",
    "boxes/eval.yaml": "",
    "boxes/evaluation-guide.md": "kept",
  });
  const [boxes] = (await load(root)).skills;
  expect(await skillFiles(boxes!)).toEqual([
    "SKILL.md",
    "evaluation-guide.md",
    "references/sizes.md",
    "scripts/run.py",
  ]);
  const before = await skillFilesFingerprint(boxes!);
  writeFileSync(join(root, "boxes/evals/triggers.json"), "[1]");
  expect(await skillFilesFingerprint(boxes!)).toBe(before);
  writeFileSync(join(root, "boxes/references/sizes.md"), "small");
  expect(await skillFilesFingerprint(boxes!)).not.toBe(before);
});

test("what package managers and version control keep in a skill's folder is not part of the skill", async () => {
  const made = [".git", ".proctor", "node_modules", ".venv", "__pycache__", ".cache"];
  const files = Object.fromEntries(made.map((folder) => [`boxes/${folder}/inside.txt`, "x"]));
  const library = await load(tree({ ...files, "boxes/SKILL.md": skillText("boxes"), "boxes/build/tool.sh": "ls" }));
  expect(await skillFiles(library.skills[0]!)).toEqual(["SKILL.md", "build/tool.sh"]);
});
