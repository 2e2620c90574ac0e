import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadConfig, type RunSettings } from "../src/base/options/index.ts";
import type { RunRequest } from "../src/exam/ask/index.ts";
import { askExam, planExams } from "../src/exam/index.ts";
import type { Exam } from "../src/exam/plan/index.ts";
import { type RecordPlace, readRecord } from "../src/exam/record/index.ts";
import { exitCode, scoreRecord } from "../src/exam/score/index.ts";
import type { HeaderLine, QuestionLine, RecordLine, Scores, TrialLine } from "../src/model/index.ts";

export interface Row {
  query: string;
  should_trigger: boolean;
  [key: string]: unknown;
}

/** A folder with skills, suites and a script, made for one test. */
export class World {
  readonly dir: string;
  /** What the exam sees of the environment. */
  env: Record<string, string> = {};
  readonly #temporary = mkdtempSync(join(tmpdir(), "proctor-exam-"));

  /** With a name for the folder, where a test shows it. */
  constructor(name = "") {
    this.dir = join(this.#temporary, name);
    mkdirSync(this.dir, { recursive: true });
  }

  write(path: string, content: string | object): void {
    const file = join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 1));
  }

  skill(name: string, triggers: Row[] = [], description = `Does the work of ${name}.`): void {
    this.write(
      `skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: ${description}\n---\nThe body of ${name}.\n`,
    );
    if (triggers.length > 0) this.write(`skills/${name}/evals/triggers.json`, triggers);
  }

  /** Written as JSON, which is YAML too. */
  script(content: object, name = "answers.yaml"): void {
    this.write(name, content);
  }

  async prepare(flags: RunSettings = {}, paths?: string[]): Promise<Exam> {
    const config = await loadConfig({ cwd: this.dir, env: this.env });
    const exams = await planExams({
      cwd: this.dir,
      config,
      env: this.env,
      flags: { targets: ["script:answers.yaml"], ...flags },
      ...(paths && { paths }),
    });
    return exams[0]!;
  }

  async sit(flags: RunSettings = {}, request: RunRequest = {}): Promise<Sat> {
    const { place } = await askExam(await this.prepare(flags), request);
    return readSat(place);
  }

  remove(): void {
    rmSync(this.#temporary, { recursive: true, force: true });
  }
}

export interface Sat {
  place: RecordPlace;
  lines: RecordLine[];
  header: HeaderLine;
  questions: QuestionLine[];
  trials: TrialLine[];
  scores: Scores;
  exit: number;
}

export async function readSat(place: RecordPlace): Promise<Sat> {
  const lines: RecordLine[] = [];
  for await (const line of readRecord(place.file)) lines.push(line);
  const scores = await scoreRecord(lines);
  return {
    place,
    lines,
    header: lines[0] as HeaderLine,
    questions: lines.filter((line) => line.type === "question"),
    trials: lines.filter((line) => line.type === "trial"),
    scores,
    exit: exitCode(scores),
  };
}

/** What a run came to, without what differs from run to run: times, names, the order trials ended in. */
export function essence({ scores }: Sat): unknown {
  return scores.targets.map(({ id, total, skills, questions, confusion, steals, causes }) => ({
    id,
    total,
    skills,
    questions: questions.map(({ measuredAt: _, ...question }) => question).sort((a, b) => (a.id < b.id ? -1 : 1)),
    confusion,
    steals,
    causes,
  }));
}
