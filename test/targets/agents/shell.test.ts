import { expect, test } from "vitest";
import { type StagedSkill, StagedSkills } from "../../../src/targets/agents/staged.ts";

const names = ["alpha", "alpha-extended", "beta"];
const staged = new StagedSkills(
  "/ws",
  names.map((name) => skill(name)),
);

test.each([
  ["cat .agents/skills/alpha/SKILL.md", ["alpha"]],
  ["/bin/bash -lc 'cat .agents/skills/alpha/SKILL.md'", ["alpha"]],
  ['bash -c "sed -n 1,40p \\".agents/skills/beta/SKILL.md\\""', ["beta"]],
  ["cat /ws/.agents/skills/alpha-extended/SKILL.md | head -5", ["alpha-extended"]],
  ["cd .agents/skills/alpha && cat SKILL.md", ["alpha"]],
  ["cd .agents/skills; cd beta; head SKILL.md", ["beta"]],
  ["cat .agents/skills/*/SKILL.md", names],
  ["cat < .agents/skills/beta/SKILL.md", ["beta"]],
  ["FOO=1 timeout 5 cat .agents/skills/beta/SKILL.md", ["beta"]],
  ["cat .agents/skills/alpha/SKILL.md .agents/skills/beta/SKILL.md", ["alpha", "beta"]],
  ["ls .agents/skills/alpha/SKILL.md", []],
  ["wc -l .agents/skills/alpha/SKILL.md", []],
  ["echo .agents/skills/alpha/SKILL.md", []],
  ["cat .agents/skills/alpha/references/steps.md", []],
  ["cat nowhere/alpha/SKILL.md", []],
  ["cat SKILL.md", []],
  ["cat '.agents/skills/alpha", []],
  ["", []],
])("%s opens %j", (command, opened) => {
  expect(staged.byCommand(command).map(({ id }) => id)).toEqual(opened);
});

test("names are equal or they are not", () => {
  expect(
    ["alpha", "/alpha", "alpha-extended", "shop:beta", "Alpha", "alp", "alpha ", "", 7].map((name) => staged.byName(name)?.id),
  ).toEqual(["alpha", "alpha", "alpha-extended", "beta", undefined, undefined, "alpha", undefined, undefined]);
});

test("a body that stands whole in an output was read, a part of it was not", () => {
  const [alpha] = staged.skills;
  expect(staged.byText(`---\nname: alpha\n---\n${alpha!.body}`).map(({ id }) => id)).toEqual(["alpha"]);
  expect(staged.byText(alpha!.body.slice(0, 30))).toEqual([]);
});

test("a listing tells whole from cut, bare and absent", () => {
  const texts: Record<string, string | undefined> = { alpha: "What alpha does, at length.", "alpha-extended": "What alpha-ext…" };
  const listing = staged.listing((one) => (one.id in texts ? { text: texts[one.id] } : undefined));
  expect(listing.map(({ shown }) => shown)).toEqual(["whole", "cut", "absent"]);
  expect(staged.listing(() => ({ text: undefined })).map(({ shown }) => shown)).toEqual(["bare", "bare", "bare"]);
});

function skill(name: string): StagedSkill {
  const dir = `/ws/.agents/skills/${name}`;
  return {
    id: name,
    folder: name,
    name,
    plugin: "shop",
    dir,
    file: `${dir}/SKILL.md`,
    description: `What ${name} does, at length.`,
    body: `# ${name}\n\nThe body of ${name}.`,
  };
}
