import type {
  PageNote,
  PageQuestion,
  PageResult,
  PageSkill,
  PageTarget,
} from "../../../src/reporters/html/page-data.ts";
import type { ShownPage, WiredExam } from "../../../src/reporters/html/wire.ts";

export interface Answer {
  question: PageQuestion;
  target: PageTarget;
  targetAt: number;
  result: PageResult;
}

export interface Row {
  question: PageQuestion;
  at: number;
  /** By target index; holes where it was not asked. */
  answers: (Answer | undefined)[];
  /** Lower-case text to search, starting with the prompt. Built on first use. */
  text(): string;
}

/** The page's data with indexes into it. Computes nothing else. */
export interface Model {
  data: ShownPage;
  exam: WiredExam | null;
  targets: PageTarget[];
  rows: Row[];
  cases: Row[];
  rowById: Map<string, Row>;
  rowsBySkill: Map<string, Row[]>;
  /** People's notes, by question index. */
  notes: Map<number, PageNote[]>;
  skills: Map<string, PageSkill>;
}

export function modelOf(data: ShownPage): Model {
  const { exam } = data;
  const targets = exam?.targets ?? [];
  const rows: Row[] = (exam?.questions ?? []).map((question, at) => {
    let text: string | undefined;
    return {
      question,
      at,
      answers: [],
      text: () =>
        (text ??=
          `${question.name ?? ""}\n${question.prompt}\n${question.id}\n${question.skill ?? ""}\n${question.tags.join("\n")}`.toLowerCase()),
    };
  });
  targets.forEach((target, targetAt) => {
    for (const result of target.results) {
      const row = rows[result.question];
      if (row !== undefined) row.answers[targetAt] = { question: row.question, target, targetAt, result };
    }
  });
  return {
    data,
    exam,
    targets,
    rows,
    cases: rows.filter(({ question }) => question.kind === "case"),
    rowById: new Map(rows.map((row) => [row.question.id, row])),
    rowsBySkill: grouped(rows, ({ question }) => question.skill ?? ""),
    notes: grouped(exam?.notes.all ?? [], ({ question }) => question),
    skills: new Map(data.library.skills.map((skill) => [skill.id, skill])),
  };
}

function grouped<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

export function listOf({ kind }: PageQuestion): "cases" | "questions" {
  return kind === "case" ? "cases" : "questions";
}

/** Lists of questions start with the worst verdict. */
const ORDER: Record<string, number> = { fail: 0, inconclusive: 1, unsure: 2, pass: 3 };

/** The worst verdict on one target, or on all. */
export function worst({ answers }: Row, target?: number): number {
  let least = 4;
  for (const answer of answers) {
    if (
      answer === undefined ||
      answer.result.status === "skipped" ||
      (target !== undefined && answer.targetAt !== target)
    )
      continue;
    least = Math.min(least, ORDER[answer.result.verdict] ?? 4);
  }
  return least;
}

/** The worst measured answer to a question; the worst prediction if nothing was measured. */
export function worstAnswer({ answers }: Row, targets: readonly number[]): Answer | undefined {
  let found: Answer | undefined;
  let rank = Number.POSITIVE_INFINITY;
  for (const at of targets) {
    const answer = answers[at];
    if (answer === undefined) continue;
    const { result, target } = answer;
    const isKnown = result.status === "asked";
    const its = (isKnown ? (ORDER[result.verdict] ?? 4) : 5) + (target.predicted ? 10 : 0) + (isKnown ? 0 : 20);
    if (its < rank) [found, rank] = [answer, its];
  }
  return found;
}
