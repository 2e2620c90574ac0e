import { mkdirSync, symlinkSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { discover } from "../../src/exam/find/index.ts";
import type { Library } from "../../src/model/index.ts";
import { skillText, tree } from "./tree.ts";

async function libraryOf(root: string): Promise<Library> {
  const { libraries } = await discover({ cwd: root, root });
  expect(libraries).toHaveLength(1);
  return libraries[0]!;
}

function ids(library: Library): string[] {
  return library.skills.map(({ id }) => id);
}

function codes({ problems }: Pick<Library, "problems">): string[] {
  return problems.map(({ code }) => code);
}

test.each([
  ["a bare skill folder", "SKILL.md"],
  ["a folder of skills", "boxes/SKILL.md"],
  ["skills/", "skills/boxes/SKILL.md"],
  [".claude", ".claude/skills/boxes/SKILL.md"],
  [".agents", ".agents/skills/boxes/SKILL.md"],
  [".github", ".github/skills/boxes/SKILL.md"],
  [".gemini", ".gemini/skills/boxes/SKILL.md"],
  [".opencode", ".opencode/skills/boxes/SKILL.md"],
  [".opencode, old name", ".opencode/skill/boxes/SKILL.md"],
  [".cursor", ".cursor/skills/boxes/SKILL.md"],
  [".codex", ".codex/skills/boxes/SKILL.md"],
  [".qwen", ".qwen/skills/boxes/SKILL.md"],
  ["the hidden folder of a host nobody heard of", ".newhost/skills/boxes/SKILL.md"],
  ["groups in a folder of skills", "skills/warehouse/boxes/SKILL.md"],
  ["a plugin", "plugins/warehouse/skills/boxes/SKILL.md"],
  ["packages", "packages/app/.claude/skills/boxes/SKILL.md"],
  ["a skill called build", "skills/build/SKILL.md"],
  ["lower case", "skills/boxes/skill.md"],
])("skills are found in %s", async (_, path) => {
  const library = await libraryOf(tree({ [path]: skillText("boxes"), "README.md": "" }));
  expect(ids(library)).toEqual(["boxes"]);
  expect(relative(library.root, library.skills[0]!.file).split(sep).join("/")).toBe(path);
});

test.each([
  ["node_modules", { "node_modules/x/skills/boxes/SKILL.md": skillText("boxes") }],
  ["what a build wrote", { "package.json": "{}", "dist/skills/boxes/SKILL.md": skillText("boxes") }],
  ["other working trees", { ".claude/worktrees/feature/skills/boxes/SKILL.md": skillText("boxes") }],
  ["records of runs", { ".proctor/runs/1/boxes/SKILL.md": skillText("boxes") }],
  ["a hidden folder without skills/", { ".secret/boxes/SKILL.md": skillText("boxes") }],
  ["documents called skill.md", { "docs/skill.md": "# How to write skills\n" }],
])("no skills are taken from %s", async (_, files) => {
  expect(ids(await libraryOf(tree(files)))).toEqual([]);
});

test("what a skill ships or is tested with is not a skill, but a skill inside a skill is", async () => {
  const root = tree({
    "skills/maker/SKILL.md": skillText("maker"),
    "skills/maker/templates/new/SKILL.md": skillText("template"),
    "skills/maker/evals/files/old/SKILL.md": skillText("old"),
    "skills/maker/inner/SKILL.md": skillText("inner"),
    "examples/shown/SKILL.md": skillText("shown"),
  });
  expect(ids(await libraryOf(root))).toEqual(["inner", "maker", "shown"]);
});

test("one skill copied into several hosts' folders counts once, in its plainest place", async () => {
  const text = skillText("boxes");
  const root = tree({
    ".agents/skills/boxes/SKILL.md": text,
    ".claude/skills/boxes/SKILL.md": text.replaceAll("\n", "\r\n"),
    "skills/boxes/SKILL.md": text,
    "packages/other/place/SKILL.md": text,
  });
  const library = await libraryOf(root);
  expect(ids(library)).toEqual(["boxes"]);
  const [boxes] = library.skills;
  expect(boxes!.dir).toBe(join(root, "skills/boxes"));
  expect(boxes!.source.copies).toEqual([
    join(root, "packages/other/place"),
    join(root, ".claude/skills/boxes"),
    join(root, ".agents/skills/boxes"),
  ]);
  expect(codes(library)).toEqual([]);
});

test("copies side by side are examined once, and said to be copies", async () => {
  const text = skillText("boxes");
  const { libraries } = await discover({
    cwd: tree({ "skills/boxes/SKILL.md": text, "skills/boxes-2/SKILL.md": text, "skills/boxes-3/SKILL.md": text }),
  });
  const [library] = libraries;
  expect(library!.skills).toHaveLength(1);
  expect(library!.problems).toMatchObject([
    { code: "skill/duplicate-name", severity: "warning", location: { line: 2 } },
  ]);
  expect(library!.problems[0]!.message).toMatch(/^boxes-2\/, boxes-3\/ beside boxes\/ are copies of it/);
});

test("copies that drifted apart count once and are reported", async () => {
  const root = tree({
    ".claude/skills/boxes/SKILL.md": skillText("boxes"),
    ".agents/skills/boxes/SKILL.md": skillText("boxes", "Sorts boxes. Use when there are too many boxes."),
    "skills/codex/lids/SKILL.md": skillText("lids"),
    "skills/claude/lids/SKILL.md": `${skillText("lids")}More.\n`,
  });
  const library = await libraryOf(root);
  expect(ids(library)).toEqual(["boxes", "lids"]);
  expect(library.problems.map(({ code, severity }) => [code, severity])).toEqual([
    ["skill/copies-differ", "info"],
    ["skill/copies-differ", "warning"],
  ]);
});

test("same names in two plugins stay two skills; by name alone they are `plugin:name`", async () => {
  const root = tree({
    "plugins/north/.claude-plugin/plugin.json": '{"name":"north-shop"}',
    "plugins/north/skills/boxes/SKILL.md": skillText("boxes"),
    "plugins/north/skills/lids/SKILL.md": skillText("lids"),
    "external_plugins/south/skills/boxes/SKILL.md": skillText("boxes"),
    "skills/boxes/SKILL.md": skillText("boxes", "Sorts other boxes. Use when asked for other boxes."),
  });
  const library = await libraryOf(root);
  expect(ids(library)).toEqual(["boxes", "lids", "north-shop:boxes", "south:boxes"]);
  expect(library.skills.find(({ id }) => id === "lids")!.source.plugin).toBe("north-shop");
});

test("a marketplace names the plugins of the skills it lists", async () => {
  const root = tree({
    ".claude-plugin/marketplace.json": JSON.stringify({
      plugins: [
        { name: "office", source: "./", skills: ["./skills/boxes"] },
        { name: "home", source: "./more" },
        { name: "far", source: { source: "github", repo: "a/b" } },
        "nonsense",
      ],
    }),
    "skills/boxes/SKILL.md": skillText("boxes"),
    "skills/lids/SKILL.md": skillText("lids"),
    "more/skills/tape/SKILL.md": skillText("tape"),
  });
  const { skills } = await libraryOf(root);
  expect(skills.map(({ name, source }) => [name, source.plugin])).toEqual([
    ["boxes", "office"],
    ["lids", undefined],
    ["tape", "home"],
  ]);
});

test("a broken manifest is a problem, and the folder still names the plugin", async () => {
  const root = tree({
    "plugins/north/.claude-plugin/plugin.json": "{",
    "plugins/north/skills/boxes/SKILL.md": skillText("boxes"),
  });
  const found = await discover({ cwd: root, root });
  expect(codes(found)).toEqual(["skill/plugin-manifest"]);
  expect(found.libraries[0]!.skills[0]!.source.plugin).toBe("north");
});

test("two different skills of one name stay apart by their folders, and are reported", async () => {
  const root = tree({
    "a/boxes/SKILL.md": skillText("boxes"),
    "b/boxes/SKILL.md": skillText("boxes", "Paints boxes. Use when a box needs colour."),
  });
  const library = await libraryOf(root);
  expect(ids(library)).toEqual(["a/boxes", "b/boxes"]);
  expect(codes(library)).toEqual(["skill/duplicate-name"]);
});

test("a prompt folder is a skill; a meta.yml alone is not", async () => {
  const root = tree({
    "prompts/tidy/meta.yml": "description: Tidies code when it is untidy.\n",
    "prompts/tidy/prompt.xml": "<p/>",
    "other/meta.yml": "description: x\n",
  });
  expect(ids(await libraryOf(root))).toEqual(["tidy"]);
});

test("links to skills are found, circles end, and nothing outside the root is read", async () => {
  const outside = tree({ "secret/SKILL.md": skillText("secret") });
  const root = tree({
    "skills/boxes/SKILL.md": skillText("boxes"),
    ".store/hidden/lids/SKILL.md": skillText("lids"),
    "skills/loop/again": { link: "../.." },
    "skills/lids": { link: "../.store/hidden/lids" },
    ".claude/skills": { link: "../skills" },
    "skills/self": { link: "self" },
    "skills/out": { link: join(outside, "secret") },
    "skills/tape/SKILL.md": { link: join(outside, "secret/SKILL.md") },
    "skills/none": { link: "nowhere" },
  });
  const found = await discover({ cwd: root, root });
  const library = found.libraries[0]!;
  expect(ids(library)).toEqual(["boxes", "lids"]);
  expect(library.skills[0]!.source.copies).toEqual([join(root, ".claude/skills/boxes")]);
  expect(codes(found)).toEqual(["skill/link-outside"]);
  expect(found.files.every((file) => file.startsWith(root + sep))).toBe(true);
});

test("a folder called SKILL.md is reported and the rest is still read", async () => {
  const root = tree({ "skills/boxes/SKILL.md": skillText("boxes"), "skills/odd/SKILL.md/notes.txt": "" });
  const found = await discover({ cwd: root, root });
  expect(ids(found.libraries[0]!)).toEqual(["boxes"]);
  expect(codes(found)).toEqual(["skill/not-readable"]);
});

test("one walk hands out every regular file, sorted", async () => {
  const root = tree({
    "skills/boxes/SKILL.md": skillText("boxes"),
    "evals/boxes/triggers.json": "[]",
    "b.txt": "",
    "a.txt": "",
  });
  const { files } = await discover({ cwd: root, root });
  expect(files.map((file) => relative(root, file).split(sep).join("/"))).toEqual([
    "a.txt",
    "b.txt",
    "evals/boxes/triggers.json",
    "skills/boxes/SKILL.md",
  ]);
});

test("the root is the nearest configuration, else the git root, else the path given", async () => {
  const root = tree({
    "repo/.git/HEAD": "",
    "repo/skills/boxes/SKILL.md": skillText("boxes"),
    "repo/skills/lids/SKILL.md": skillText("lids"),
    "repo/team/proctor.config.yaml": "",
    "repo/team/skills/tape/SKILL.md": skillText("tape"),
    "loose/boxes/SKILL.md": skillText("boxes"),
    "loose/lids/SKILL.md": skillText("lids"),
  });
  const cases: [string, string[], string][] = [
    ["repo", [], "repo"],
    ["repo", ["skills/boxes"], "repo"],
    ["repo", ["skills/boxes/SKILL.md"], "repo"],
    ["repo", ["team/skills/tape"], "repo/team"],
    ["repo/team/skills", [], "repo/team"],
    ["loose", ["boxes"], "loose/boxes"],
    ["loose", ["boxes/SKILL.md"], "loose/boxes"],
    ["loose", ["boxes", "lids"], "loose"],
    [".", ["loose"], "loose"],
  ];
  for (const [cwd, paths, expected] of cases) {
    const found = await discover({ cwd: join(root, cwd), paths });
    expect(relative(root, found.root).split(sep).join("/"), `${cwd} ${paths}`).toBe(expected);
  }
});

test("a folder that a walk leaves out is examined when it is asked for", async () => {
  const root = tree({
    ".git/HEAD": "",
    "package.json": "{}",
    "skills/lids/SKILL.md": skillText("lids"),
    "dist/skills/boxes/SKILL.md": skillText("boxes"),
  });
  const found = await discover({ cwd: root, paths: ["dist/skills"] });
  expect([found.root, ids(found.libraries[0]!)]).toEqual([join(root, "dist/skills"), ["boxes"]]);
});

test("paths never narrow the library", async () => {
  const root = tree({
    ".git/HEAD": "",
    "skills/boxes/SKILL.md": skillText("boxes"),
    "skills/lids/SKILL.md": skillText("lids"),
  });
  const { libraries } = await discover({ cwd: root, paths: ["skills/boxes"] });
  expect(ids(libraries[0]!)).toEqual(["boxes", "lids"]);
});

test("a path that is not there is a usage error that names its neighbours", async () => {
  const root = tree({ "skills/boxes/SKILL.md": skillText("boxes") });
  await expect(discover({ cwd: root, paths: ["skills/boxs"] })).rejects.toThrow(UsageError);
  await expect(discover({ cwd: root, paths: ["skills/boxs"] })).rejects.toMatchObject({
    hint: "Did you mean skills/boxes?",
  });
});

test("paths of two repositories are a usage error", async () => {
  const root = tree({
    "a/.git/HEAD": "",
    "a/SKILL.md": skillText("a"),
    "b/.git/HEAD": "",
    "b/SKILL.md": skillText("b"),
  });
  await expect(discover({ cwd: root, paths: ["a", "b"] })).rejects.toThrow(UsageError);
});

test("libraries split the skills by folder; the rest stays together, and an empty one is reported", async () => {
  const root = tree({
    "shop/boxes/SKILL.md": skillText("boxes"),
    "shop/lids/SKILL.md": skillText("lids"),
    "lab/acid/SKILL.md": skillText("acid"),
    "tape/SKILL.md": skillText("tape"),
  });
  const found = await discover({
    cwd: root,
    root,
    libraries: { shop: ["shop/*"], lab: ["{lab,labs}"], none: ["nowhere/**"] },
  });
  expect(found.libraries.map((library) => [library.name, ids(library)])).toEqual([
    ["shop", ["boxes", "lids"]],
    ["lab", ["acid"]],
    [basename(root), ["tape"]],
  ]);
  expect(codes(found)).toEqual(["skill/library-empty"]);
});

test("a folder nested without end is searched as far as is sensible, and that is said", async () => {
  const root = tree({ "skills/boxes/SKILL.md": skillText("boxes") });
  mkdirSync(join(root, ...Array(40).fill("deep")), { recursive: true });
  symlinkSync(".", join(root, "here"));
  const found = await discover({ cwd: root, root });
  expect(ids(found.libraries[0]!)).toEqual(["boxes"]);
  expect(codes(found)).toEqual(["skill/walk-cut"]);
});
