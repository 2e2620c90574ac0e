import type { QuestionLine } from "../records/index.ts";
import { NONE, NOT_SAID } from "./scores.ts";

/** A question with whose it is, and whether it wants that skill to fire. */
export interface Asked {
  line: QuestionLine;
  skill: string | undefined;
  role: "positive" | "negative";
  /** A negative that says which sibling should win. */
  expectsSibling: boolean;
}

/** What is put to a target: the questions on it, and what it expects as a whole. */
export interface AskedAsk {
  key: string;
  questions: Asked[];
  /** Row of the matrix; undefined for cases, which have none. */
  expected: string | undefined;
}

export type Asks = ReadonlyMap<string, AskedAsk>;

/** The questions by their ask. Targets that are asked in their own way (a judge is asked about one skill) have asks of their own. */
export function asksOf(lines: readonly QuestionLine[], target?: string): Asks {
  const asks = new Map<string, AskedAsk>();
  for (const line of lines) {
    const own = target === undefined ? undefined : line.asks?.[target];
    // Questions that cannot be asked share nothing, whatever their ask says.
    const key = line.invalid === undefined ? (own ?? line.ask) : `invalid ${line.id}`;
    const question = own === undefined ? asked(line) : aboutOneSkill(asked(line));
    const ask = asks.get(key);
    if (ask === undefined) asks.set(key, { key, questions: [question], expected: undefined });
    else ask.questions.push(question);
  }
  for (const ask of asks.values()) ask.expected = expectation(ask.questions);
  return asks;
}

/** Does a negative name the sibling that should win, or is its very prompt a sibling's positive? */
export function siblingsOf(
  { line, skill, role, expectsSibling }: Asked,
  shared: Asks,
): { expectsSibling: boolean; belongsToSibling: boolean } {
  if (role === "positive") return { expectsSibling: false, belongsToSibling: false };
  const others = shared.get(line.ask)?.questions ?? [];
  return {
    expectsSibling,
    belongsToSibling: others.some((other) => other.role === "positive" && other.skill !== undefined && other.skill !== skill),
  };
}

/** For its own skill: a question that expects a sibling instead is a negative. */
export function roleOf(line: QuestionLine): Asked["role"] {
  return asked(line).role;
}

function asked(line: QuestionLine): Asked {
  const { required_skills: required = [], forbidden_skills: forbidden = [] } = line.expect ?? {};
  const skill = line.skill ?? only(required) ?? (required.length === 0 ? only(forbidden) : undefined);
  const silent = skill !== undefined && forbidden.includes(skill) && !required.includes(skill);
  return { line, skill, role: silent || !line.positive ? "negative" : "positive", expectsSibling: silent && line.positive };
}

/** What is left of a question when only its own skill is in question: whether a sibling should win instead is not asked. */
function aboutOneSkill(question: Asked): Asked {
  const { line, role } = question;
  if (line.expect === undefined) return question;
  const { required_skills: required, forbidden_skills: forbidden } = line.expect;
  const skill = [question.skill, only(required), only(forbidden)].find(
    (name) => name !== undefined && [...required, ...forbidden].includes(name),
  );
  const own = (names: string[]) => names.filter((name) => name === skill);
  const expect = { required_skills: own(required), forbidden_skills: own(forbidden), also_fine: [], mode: "any_order", allow_extra: true };
  return { ...question, line: { ...line, positive: role === "positive", expect } };
}

function only(names: string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

/** What the questions on an ask expect together. */
function expectation(questions: Asked[]): string | undefined {
  const expects = questions.flatMap(({ line }) => (line.expect === undefined ? [] : [line.expect]));
  if (expects.length === 0) return undefined;
  const required = [...new Set(expects.flatMap((expect) => expect.required_skills))].sort();
  if (required.length > 0) return required.join(" + ");
  return expects.some((expect) => !expect.allow_extra) ? NONE : NOT_SAID;
}
