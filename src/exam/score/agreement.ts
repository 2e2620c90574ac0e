import { hasVerdict, type QuestionScore, type Rate, type Scores, type Verdict } from "../../model/index.ts";
import { shareOf } from "./target/rates.ts";

export interface Agreement extends Agreed {
  kappa: number | null;
  positives: Agreed;
  negatives: Agreed;
  differ: { id: string; first: "pass" | "fail"; second: "pass" | "fail" }[];
  /** How often the second target fails a question given the first one's verdict, i.e. what a cheap target predicts. */
  secondFails: FailsGiven;
}

interface Agreed extends Omit<Rate, "value"> {
  agreed: number;
}

export interface FailsGiven {
  givenFail: Rate;
  givenPass: Rate;
  givenUnsure: Rate;
}

function failsGiven(questions: readonly { ask: string; first: Verdict; fails: boolean }[]): FailsGiven {
  const of = (verdict: Verdict) =>
    shareOf(questions.flatMap(({ ask, first, fails }) => (first === verdict ? [{ ask, hits: Number(fails) }] : [])));
  return { givenFail: of("fail"), givenPass: of("pass"), givenUnsure: of("unsure") };
}

export function agreements({
  targets,
}: Pick<Scores, "targets">): (Omit<Agreement, "differ"> & { first: string; second: string })[] {
  return targets.flatMap(({ id: first }) =>
    targets.flatMap(({ id: second }) => {
      const found = first === second ? null : agreement({ targets }, first, second);
      if (found === null) return [];
      const { differ: _, ...rates } = found;
      return [{ first, second, ...rates }];
    }),
  );
}

export function agreement(scores: Pick<Scores, "targets">, first: string, second: string): Agreement | null {
  const one = scores.targets.find((target) => target.id === first);
  const other = scores.targets.find((target) => target.id === second);
  if (one === undefined || other === undefined) return null;
  const theirs = new Map(other.questions.map((question) => [question.id, question]));
  const pairs = one.questions.flatMap((question) => {
    const twin = theirs.get(question.id);
    return twin !== undefined && hasVerdict(question) && hasVerdict(twin)
      ? [{ question, first: question.verdict, second: twin.verdict }]
      : [];
  }) as { question: QuestionScore; first: "pass" | "fail"; second: "pass" | "fail" }[];

  const said = one.questions.flatMap((question) => {
    const twin = theirs.get(question.id);
    return twin !== undefined && hasVerdict(twin)
      ? [{ ask: question.ask, first: question.verdict, fails: twin.verdict === "fail" }]
      : [];
  });

  const count = (a: "pass" | "fail", b: "pass" | "fail") =>
    pairs.filter((pair) => pair.first === a && pair.second === b).length;
  const of = (some: typeof pairs): Agreed => {
    const same = some.map(({ question: { ask }, ...pair }) => ({ ask, hits: Number(pair.first === pair.second) }));
    const { value: _, ...rate } = shareOf(same);
    return { agreed: same.filter(({ hits }) => hits === 1).length, ...rate };
  };
  return {
    ...of(pairs),
    kappa: cohenKappa({
      bothYes: count("pass", "pass"),
      onlyFirst: count("pass", "fail"),
      onlySecond: count("fail", "pass"),
      bothNo: count("fail", "fail"),
    }),
    positives: of(pairs.filter((pair) => pair.question.role === "positive")),
    negatives: of(pairs.filter((pair) => pair.question.role === "negative")),
    differ: pairs
      .filter((pair) => pair.first !== pair.second)
      .map(({ question, first: a, second: b }) => ({ id: question.id, first: a, second: b })),
    secondFails: failsGiven(said),
  };
}

export interface TwoByTwo {
  bothYes: number;
  onlyFirst: number;
  onlySecond: number;
  bothNo: number;
}

/**
 * Cohen's kappa (1960): agreement beyond what the raters' own frequencies would give by chance. Null without answers,
 * and if both raters always give the same answer.
 */
export function cohenKappa({ bothYes, onlyFirst, onlySecond, bothNo }: TwoByTwo): number | null {
  const n = bothYes + onlyFirst + onlySecond + bothNo;
  if (n === 0) return null;
  const observed = (bothYes + bothNo) / n;
  const chance =
    ((bothYes + onlyFirst) * (bothYes + onlySecond) + (onlySecond + bothNo) * (onlyFirst + bothNo)) / (n * n);
  return chance >= 1 ? null : (observed - chance) / (1 - chance);
}
