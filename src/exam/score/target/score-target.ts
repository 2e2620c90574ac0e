import type { QuestionScore, ResolvedScoreOptions, Steal, TargetScores, UnsureReason } from "../../../model/index.ts";
import { type AskTallies, type AskTally, expectedOf } from "../tallies/ask-tally.ts";
import { measuredRuns } from "../tallies/question-tally.ts";
import type { TargetTally } from "../tallies/target-tally.ts";
import { attemptsOf } from "./attempts.ts";
import { causesOf } from "./causes.ts";
import { liftOf } from "./lift.ts";
import { type RatedQuestion, ratesOf } from "./rates.ts";
import { outcomeOf, type ScoringContext, scoreQuestion } from "./score-question.ts";
import { macroOf, scoreSkills } from "./score-skills.ts";
import { judge } from "./verdict.ts";

/** `shared` holds the asks of targets that are asked in the usual way. */
export function scoreTarget(
  tally: TargetTally,
  { shared, options, locked }: Omit<ScoringContext, "tally">,
): TargetScores {
  const { id, kind, predicted, note, identity } = tally.target;
  const entries: RatedQuestion[] = [];
  for (const ask of tally.asks.values()) {
    const outcome = outcomeOf(ask);
    for (const question of ask.questions)
      if (question.line.baseline === undefined)
        entries.push(scoreQuestion(question, outcome, { shared, tally, options, locked }));
  }
  const steals = stealsOf(tally.asks);
  const skills = scoreSkills(entries, steals);
  return {
    id,
    kind,
    predicted,
    deterministic: identity.deterministic,
    note,
    identity,
    total: ratesOf(entries),
    macro: macroOf(skills),
    skills,
    questions: entries.map((entry) => entry.score),
    confusion: tally.confusion(),
    steals,
    causes: causesOf(entries),
    unsure: unsureReasons(entries),
    trials: tally.stats.finish(tally.asks.values()),
    attempts: attemptsOf(
      entries.map((entry) => entry.score),
      identity.deterministic,
    ),
    lift: liftOf(tally, options),
  };
}

export interface AskVerdicts {
  passed: number;
  failed: QuestionScore[];
}

/** Scores only failures in full, so it is cheap if most questions pass. */
export function askVerdicts(ask: AskTally, tally: TargetTally, options: ResolvedScoreOptions): AskVerdicts {
  const verdicts: AskVerdicts = { passed: 0, failed: [] };
  const { id, identity } = tally.target;
  for (const question of ask.questions) {
    const { line } = question;
    if (line.baseline !== undefined) continue;
    const planned = identity.deterministic ? 1 : (line.runs[id] ?? 0);
    const { verdict } = judge(
      measuredRuns(question, id),
      { positive: line.positive, planned, deterministic: identity.deterministic },
      options,
    );
    if (verdict === "pass") verdicts.passed++;
    if (verdict === "fail")
      verdicts.failed.push(
        scoreQuestion(question, outcomeOf(ask), { shared: tally.asks, tally, options, locked: new Set() }).score,
      );
  }
  return verdicts;
}

function unsureReasons(entries: RatedQuestion[]): TargetScores["unsure"] {
  const counts = new Map<UnsureReason, number>();
  for (const { score } of entries)
    if (score.unsure !== undefined) counts.set(score.unsure, (counts.get(score.unsure) ?? 0) + 1);
  return [...counts]
    .map(([reason, questions]) => ({ reason, questions }))
    .sort((a, b) => b.questions - a.questions || (a.reason < b.reason ? -1 : 1));
}

function stealsOf(asks: AskTallies): Steal[] {
  const steals = new Map<string, Steal>();
  for (const ask of asks.values()) {
    const { stolen } = ask;
    const victim = stolen && expectedOf(ask);
    if (stolen === undefined || victim == null) continue;
    for (const [thief, trials] of stolen) {
      const key = `${thief}\0${victim}`;
      const steal = steals.get(key);
      if (steal === undefined) steals.set(key, { thief, victim, prompts: 1, trials });
      else {
        steal.prompts++;
        steal.trials += trials;
      }
    }
  }
  return [...steals.values()].sort(
    (a, b) => b.prompts - a.prompts || b.trials - a.trials || (a.thief + a.victim < b.thief + b.victim ? -1 : 1),
  );
}
