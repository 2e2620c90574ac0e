import type {
  PageData,
  PageExam,
  PageQuestion,
  PageResult,
  PageSkill,
  PageTarget,
  PageTrial,
} from "../../../src/reports/html/page-data.ts";

/** A question on a target, with both at hand. */
export interface Answer {
  question: PageQuestion;
  target: PageTarget;
  targetAt: number;
  result: PageResult;
}

/** A question, and how every target did on it. */
export interface Row {
  question: PageQuestion;
  at: number;
  /** By the target's place; holes where it was not asked. */
  answers: (Answer | undefined)[];
  /** What the search looks through; made when something is first searched. */
  text(): string;
}

/** The page's data, with the ways through it. Nothing is computed here but places. */
export interface Model {
  data: PageData;
  exam: PageExam | null;
  targets: PageTarget[];
  rows: Row[];
  rowById: Map<string, Row>;
  rowsBySkill: Map<string, Row[]>;
  skills: Map<string, PageSkill>;
  trial(target: number, ask: string, run: number): PageTrial | undefined;
  /** What all questions on an ask expect together: its row in the matrix. */
  expectedOf(target: number, ask: string): string;
}

export function modelOf(data: PageData): Model {
  const { exam } = data;
  const targets = exam?.targets ?? [];
  const rows: Row[] = (exam?.questions ?? []).map((question, at) => {
    let text: string | undefined;
    return {
      question,
      at,
      answers: [],
      text: () => (text ??= `${question.prompt}\n${question.id}\n${question.skill ?? ""}\n${question.tags.join("\n")}`.toLowerCase()),
    };
  });
  targets.forEach((target, targetAt) => {
    for (const result of target.results) {
      const row = rows[result.question];
      if (row !== undefined) row.answers[targetAt] = { question: row.question, target, targetAt, result };
    }
  });
  const rowsBySkill = new Map<string, Row[]>();
  for (const row of rows) {
    const skill = row.question.skill ?? "";
    const known = rowsBySkill.get(skill);
    if (known === undefined) rowsBySkill.set(skill, [row]);
    else known.push(row);
  }
  let expected: Map<string, Set<string>> | undefined;
  const trials = new Map((exam?.trials ?? []).map((trial) => [`${trial.target} ${trial.ask} ${trial.run}`, trial]));
  return {
    data,
    exam,
    targets,
    rows,
    rowById: new Map(rows.map((row) => [row.question.id, row])),
    rowsBySkill,
    skills: new Map(data.library.skills.map((skill) => [skill.id, skill])),
    expectedOf: (target, ask) => {
      expected ??= expectations(rows);
      return [...(expected.get(`${target} ${ask}`) ?? [])].sort().join(" + ");
    },
    trial: (target, ask, run) => trials.get(`${target} ${ask} ${run}`),
  };
}

function expectations(rows: readonly Row[]): Map<string, Set<string>> {
  const expected = new Map<string, Set<string>>();
  for (const { question, answers } of rows)
    for (const answer of answers) {
      if (answer === undefined) continue;
      const key = `${answer.targetAt} ${answer.result.ask}`;
      const known = expected.get(key) ?? new Set();
      for (const skill of question.expected) known.add(skill);
      expected.set(key, known);
    }
  return expected;
}

/** The worse verdict first: what a list of questions begins with. */
const ORDER: Record<string, number> = { fail: 0, inconclusive: 1, unsure: 2, pass: 3 };

/** Of one target, or of all. */
export function worst({ answers }: Row, target?: number): number {
  const of = target === undefined ? answers : [answers[target]];
  return Math.min(
    4,
    ...of.flatMap((answer) => (answer === undefined || answer.result.status === "skipped" ? [] : [ORDER[answer.result.verdict] ?? 4])),
  );
}
