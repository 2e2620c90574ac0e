/**
 * How much of what authors wrote the readers understand: `npm run bench -- readers CORPUS [--json]`.
 *
 * CORPUS/raw/<repo> holds suites and skills as they were published, CORPUS/repos/<repo> the labels a person would take from them,
 * one a line: a prompt, a skill (null = any), whether it should be activated. A label is recovered when a trigger with that prompt
 * implies it, and wrong when one implies the opposite. Of skills with one name, a label is about those nearest to its file; and where
 * an author's files contradict each other, each label is compared with its own file. `changed_by_import` counts the questions that
 * what `proctor import` writes would not ask in the same way.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { discover, findSkill } from "../src/exam/find/index.ts";
import { importSuites, readSuites } from "../src/exam/read/index.ts";
import type { Library, Skill, Trigger } from "../src/model/index.ts";

interface Label {
  query: string;
  skill: string | null;
  should_trigger: boolean;
  source_path: string;
  format: string;
}

const [corpus, ...flags] = process.argv.slice(2);
if (corpus === undefined) throw new Error("usage: npm run bench -- readers CORPUS [--json] [--missing]");

const table: { repo: string; rows: number; recovered: number; wrong: number; questions: number; problems: number }[] =
  [];
for (const repo of readdirSync(join(corpus, "raw")).sort()) {
  const folder = join(realpathSync(corpus), "raw", repo);
  const labels = ["cases.jsonl", "none.jsonl"]
    .flatMap((name) => readLabels(join(corpus, "repos", repo, name)))
    .filter((label) => existsSync(join(folder, label.source_path)));
  if (labels.length === 0) continue;
  table.push(await measure(repo, folder, labels));
}

const sum = (pick: (row: (typeof table)[number]) => number) => table.reduce((total, row) => total + pick(row), 0);
const rows = sum((row) => row.rows);
const wrong = sum((row) => row.wrong);
const recall = rows === 0 ? 0 : sum((row) => row.recovered) / rows;
const changed = await importedAgain();
if (flags.includes("--json"))
  console.log(
    JSON.stringify({ repos: table.length, rows, recall: Number(recall.toFixed(4)), wrong, changed_by_import: changed }),
  );
else print();
process.exitCode = recall < 0.95 || wrong > 0 || changed > 0 ? 1 : 0;

/** Questions of all suites that `proctor import` would change, read again from what it writes. */
async function importedAgain(): Promise<number> {
  let count = 0;
  for (const repo of readdirSync(join(corpus!, "raw"))) {
    const from = join(realpathSync(corpus!), "raw", repo);
    const to = mkdtempSync(join(tmpdir(), "proctor-import-"));
    const { libraries, files } = await discover({ cwd: from, root: from });
    const { changed } = await importSuites({ library: libraries[0]!, files, from, to });
    for (const question of flags.includes("--missing") ? changed : []) console.error(`changed by import: ${question}`);
    count += changed.length;
    rmSync(to, { recursive: true });
  }
  return count;
}

async function measure(repo: string, folder: string, labels: Label[]) {
  const { libraries, files } = await discover({ cwd: folder, root: folder });
  const library = libraries[0]!;
  const { suites, problems } = await readSuites({ library, files });
  const byQuery = new Map<string, Trigger[]>();
  for (const trigger of suites.flatMap((suite) => suite.triggers)) {
    const query = trigger.query.trim();
    byQuery.set(query, [...(byQuery.get(query) ?? []), trigger]);
  }
  const said = new Map<string, Set<boolean>>();
  for (const label of labels) said.set(keyOf(label), (said.get(keyOf(label)) ?? new Set()).add(label.should_trigger));
  const contested = new Set([...said].flatMap(([key, both]) => (both.size > 1 ? key : [])));
  let recovered = 0;
  let opposite = 0;
  for (const label of labels) {
    const file = join(folder, label.source_path);
    const skills = label.skill === null ? [] : nearest(findSkill(library, label.skill), file);
    const implied = (byQuery.get(label.query.trim()) ?? [])
      .filter((trigger) => !contested.has(keyOf(label)) || trigger.source.file === file)
      .map((trigger) => implies(trigger, label.skill, skills, library));
    if (implied.includes(!label.should_trigger)) {
      opposite++;
      note("wrong", repo, label);
    } else if (implied.includes(label.should_trigger)) recovered++;
    else note("missing", repo, label);
  }
  return {
    repo,
    rows: labels.length,
    recovered,
    wrong: opposite,
    questions: suites.reduce((total, suite) => total + suite.triggers.length + suite.cases.length, 0),
    problems: problems.length + suites.reduce((total, suite) => total + suite.problems.length, 0),
  };
}

/** What a trigger says of one skill; of all skills where `skill` is null. Undefined = nothing. */
function implies({ expect }: Trigger, skill: string | null, skills: Skill[], library: Library): boolean | undefined {
  const none = expect.required_skills.length === 0 && !expect.allow_extra;
  if (skill === null) return none ? false : expect.required_skills.length > 0 ? true : undefined;
  const wanted = new Set(skills.map(({ id }) => id));
  const names = (list: string[]) =>
    list.some(
      (name) => (name === skill && skills.length < 2) || findSkill(library, name).some(({ id }) => wanted.has(id)),
    );
  if (names(expect.required_skills)) return true;
  if (names(expect.forbidden_skills)) return false;
  return expect.allow_extra || names(expect.also_fine) ? undefined : false;
}

function keyOf(label: Label): string {
  return JSON.stringify([label.query.trim(), label.skill]);
}

function nearest(skills: Skill[], file: string): Skill[] {
  const parts = file.split(sep);
  const shared = skills.map(({ dir }) => {
    const length = dir.split(sep).findIndex((part, index) => part !== parts[index]);
    return length === -1 ? Number.POSITIVE_INFINITY : length;
  });
  return skills.filter((_, index) => shared[index] === Math.max(...shared));
}

function readLabels(file: string): Label[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Label);
}

function note(what: string, repo: string, label: Label): void {
  if (flags.includes("--missing"))
    console.error(
      `${what} ${repo} ${label.source_path} [${label.format}] ${label.skill} ${label.should_trigger}: ${label.query.slice(0, 80)}`,
    );
}

function print(): void {
  console.log("| repository | labels | recovered | wrong | questions read | problems |");
  console.log("|---|---:|---:|---:|---:|---:|");
  for (const row of table) {
    console.log(
      `| ${row.repo.replace("__", "/")} | ${row.rows} | ${((100 * row.recovered) / row.rows).toFixed(1)} % | ${row.wrong} | ${row.questions} | ${row.problems} |`,
    );
  }
  console.log(
    `| **${table.length} repositories** | ${rows} | ${(100 * recall).toFixed(1)} % | ${wrong} | ${sum((row) => row.questions)} | ${sum((row) => row.problems)} |`,
  );
}
