import { expect, test } from "vitest";
import { linesElsewhere } from "../../../src/hosts/reading/shown-lines.ts";
import { type StagedSkill, StagedSkills } from "../../../src/hosts/reading/staged-skills.ts";
import { ToolCalls } from "../../../src/hosts/reading/tool-calls.ts";

const BODY = `# chart

Read the first column and draw one bar for each row.
Label each bar with the second column, never with the third.
Write the chart to chart.svg beside the data.
`;
const chart = skill("chart", BODY);
const word = skill("word", "Say the magic word: feather.\n");
const dot = skill("dot", "Hi.\n");
const staged = new StagedSkills("/ws", [chart, word, dot]);
const path = (name: string) => `.agents/skills/${name}/SKILL.md`;
const prefixed = (name: string, mark: (line: string, index: number) => string) =>
  fileOf(name).split("\n").map(mark).join("\n");

test.each([
  ["grep -n '' FILE", "chart", (line: string, index: number) => `${index + 1}:${line}`],
  ["grep -rn '' FOLDER", "chart", (line: string, index: number) => `${path("chart")}:${index + 1}:${line}`],
  ["rg -n . FOLDER", "chart", (line: string, index: number) => `${index + 1}:${line}`],
  ["grep . FILE other.md", "chart", (line: string) => `${path("chart")}:${line}`],
  ["git diff --no-index /dev/null FILE", "chart", (line: string) => `+${line}`],
  ["diff /dev/null FILE", "chart", (line: string) => `> ${line}`],
  ["grep -A99 chart FILE other.md", "chart", (line: string, index: number) => `${path("chart")}-${index + 1}-${line}`],
  ["cat -A FILE", "chart", (line: string) => `${line}$`],
  ["awk '{print NR\": \"$0}' FILE", "chart", (line: string, index: number) => `${index + 1}: ${line}`],
  ["find . -exec nl {} +", "chart", (line: string, index: number) => `     ${index + 1}\t${line}`],
  ["grep -rn '' FOLDER", "word", (line: string, index: number) => `${path("word")}:${index + 1}:${line}`],
  ["find . -name SKILL.md -exec tail -1 {} +", "word", (line: string) => (line.startsWith("Say") ? line : "")],
])("a body with something before each line was read: %s (%s)", (command, name, mark) => {
  const shown = staged.byShell(command.replace("FILE", path(name)).replace("FOLDER", ".agents"), {
    ok: true,
    output: prefixed(name, mark),
  });
  expect(shown.map(({ skill: { id }, shown: whole }) => [id, whole])).toEqual([[name, true]]);
});

test("a body of a word is read by its path, and a path may lead through /proc", () => {
  expect(reached(`tail -n 1 ${path("dot")}`, "Hi.\n")).toEqual(["dot"]);
  expect(reached(`cat /proc/self/cwd/${path("dot")}`, fileOf("dot"))).toEqual(["dot"]);
  expect(staged.byFile(`/proc/self/cwd/${path("chart")}`)?.id).toBe("chart");
  expect(staged.byFile(`/proc/self/root/ws/${path("chart")}`)?.id).toBe("chart");
});

test("a short body that a search shows whole was read, a line of a long one was not", () => {
  expect(reached(`grep -h magic ${path("word")}`, "Say the magic word: feather.\n")).toEqual(["word"]);
  expect(reached(`grep -h column ${path("chart")}`, "Read the first column and draw one bar for each row.\n")).toEqual(
    [],
  );
});

test("what the command itself says is no proof", () => {
  expect(reached("echo 'Say the magic word: feather.'", "Say the magic word: feather.\n")).toEqual([]);
});

test("lines that stand in another file of the workspace too are no skill's own", () => {
  const readme = `# Read me\n\nOne of our skills says:\n\n> ${BODY.trim().replaceAll("\n", "\n> ")}\n`;
  const copy = fileOf("word");
  const skills = [chart, word, dot];
  const aware = new StagedSkills("/ws", skills, { elsewhere: linesElsewhere(skills, [readme, copy]) });
  const told = (command: string, output: string) =>
    aware.byShell(command, { ok: true, output }).map(({ skill: { id } }) => id);
  expect(reached("cat README.md", readme)).toEqual(["chart"]);
  expect(told("cat README.md", readme)).toEqual([]);
  expect(told("cat drafts/SKILL.md", copy)).toEqual([]);
  expect(told(`cat ${path("chart")}`, fileOf("chart"))).toEqual(["chart"]);
  expect(told(`cat ${path("word")}`, fileOf("word"))).toEqual(["word"]);
  expect(told("find . -name SKILL.md -exec cat {} +", fileOf("chart"))).toEqual(["chart"]);
});

test("two calls with one id are two calls", () => {
  const calls = new ToolCalls(staged);
  const one = { turn: 1, id: "same", tool: "Read" };
  const told = [
    ...calls.call({ ...one, input: { path: "sales.csv" }, reach: { way: "file", path: "sales.csv" } }),
    ...calls.call({ ...one, input: { path: path("chart") }, reach: { way: "file", path: path("chart") } }),
    // Told twice: started and completed.
    ...calls.call({ ...one, input: { path: path("chart") }, reach: { way: "file", path: path("chart") } }),
    ...calls.result("same", { ok: true, output: "a,b" }),
    ...calls.result("same", { ok: true, output: fileOf("chart") }),
  ];
  expect(
    told.map((event) =>
      event.type === "activation" ? event.skill : "id" in event ? `${event.type} ${event.id}` : event.type,
    ),
  ).toEqual(["call same", "call same#2", "result same", "result same#2", "chart"]);
});

test.each([
  ["by its path", { way: "shell" as const, command: `cat ${path("chart")}` }, [{ skill: "chart", words: "no" }]],
  [
    "by a program",
    { way: "shell" as const, command: "python3 -c \"open('.agents/skills/chart/SKILL.md')\"" },
    [{ words: "no" }],
  ],
  ["by whatever is found", { way: "shell" as const, command: "find . -type f -exec cat {} +" }, [{ words: "no" }]],
  ["by the skill tool", { way: "tool" as const, name: "word" }, [{ skill: "word", words: "no" }]],
  ["not at all", { way: "shell" as const, command: "touch out.txt" }, []],
])("a forbidden call would have reached a skill: %s", (_, reach, kept) => {
  const calls = new ToolCalls(staged);
  calls.call({ turn: 1, id: "1", tool: "x", input: "command" in reach ? { command: reach.command } : {}, reach });
  calls.forbid("1", "no");
  expect(calls.keptFrom()).toMatchObject(kept);
  expect(calls.keptFrom()).toHaveLength(kept.length);
});

test("a search is judged by what it found", () => {
  const calls = new ToolCalls(staged);
  calls.call({ turn: 2, id: "1", tool: "grep", input: {}, reach: { way: "search" } });
  const told = calls.result("1", {
    ok: true,
    output: prefixed("chart", (line, index) => `  Line ${index + 1}: ${line}`),
  });
  expect(told.filter(({ type }) => type === "activation")).toMatchObject([
    { skill: "chart", turn: 2, evidence: "read" },
  ]);
});

function reached(command: string, output: string): string[] {
  return staged.byShell(command, { ok: true, output }).map(({ skill: { id } }) => id);
}

function fileOf(name: string): string {
  const { body } = [chart, word, dot].find((one) => one.name === name)!;
  return `---\nname: ${name}\ndescription: What ${name} does.\n---\n\n${body}`;
}

function skill(name: string, body: string): StagedSkill {
  const dir = `/ws/.agents/skills/${name}`;
  return { id: name, folder: name, name, dir, file: `${dir}/SKILL.md`, description: `What ${name} does.`, body };
}
