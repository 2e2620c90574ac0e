import type {
  FooterLine,
  HeaderLine,
  PlanSummary,
  QuestionLine,
  RecordLine,
  ResolvedScoreOptions,
  RunInfo,
  ScoreOptions,
  Scores,
  TrialLine,
} from "../../model/index.ts";
import { evaluateGates } from "./gates.ts";
import { resolveOptions } from "./options.ts";
import { createSharing } from "./shared-members.ts";
import type { Standing } from "./statistics/stopping.ts";
import { type AskTallies, addQuestion, siblingsOf } from "./tallies/ask-tally.ts";
import { type EvidenceReading, has, measuredRuns, type QuestionTally, RUN } from "./tallies/question-tally.ts";
import { runOutcomes, TargetTally } from "./tallies/target-tally.ts";
import { hardnessOf } from "./target/rates.ts";
import { type AskVerdicts, askVerdicts, scoreTarget } from "./target/score-target.ts";

/** Takes a record line by line, as a run writes it or as a report reads it, and keeps a few numbers per question. */
export interface Scorer {
  /** Requires the header first, and each question before its trials. */
  add(line: RecordLine): void;
  standings(target: string, ask: string): Standing[];
  verdicts(target: string, ask: string): AskVerdicts;
  outcomes(target: string): Map<string, string>;
  /** The cell of the confusion matrix that counts this added trial, or null. */
  cellOf(trial: TrialLine): { expected: string; fired: string } | null;
  /** Scores everything added so far. It may be called again after more lines. */
  finish(): Scores;
}

export function createScorer(given: ScoreOptions = {}): Scorer {
  let head: { line: HeaderLine; options: ResolvedScoreOptions; evidence: EvidenceReading } | undefined;
  let footer: FooterLine | undefined;
  const questions = new Map<string, QuestionLine>();
  const tallies = new Map<string, TargetTally>();

  const started = () => {
    if (head === undefined) throw new Error("A record starts with its header");
    return head;
  };

  return {
    add(line) {
      switch (line.type) {
        case "header":
          if (head === undefined) {
            const options = resolveOptions(given, line.options);
            const regrade = options.evidence !== resolveOptions({}, line.options).evidence;
            head = { line, options, evidence: { rule: options.evidence, regrade } };
          }
          for (const target of line.targets) {
            if (tallies.has(target.id)) continue;
            const tally = new TargetTally(target);
            for (const question of questions.values()) tally.addQuestion(question);
            tallies.set(target.id, tally);
          }
          break;
        case "question":
          if (questions.has(line.id)) break;
          questions.set(line.id, line);
          for (const tally of tallies.values()) tally.addQuestion(line);
          break;
        case "trial":
          tallies.get(line.target)?.add(line, started().evidence);
          break;
        case "footer":
          footer = line;
          break;
      }
    },

    standings(target, ask) {
      const { options } = started();
      const found = tallies.get(target)?.asks.get(ask)?.questions ?? [];
      return found
        .filter(({ line }) => (line.runs[target] ?? 0) > 0)
        .map((question) => standingOf(question, target, options));
    },

    verdicts(target, ask) {
      const tally = tallies.get(target);
      const found = tally?.asks.get(ask);
      return tally === undefined || found === undefined
        ? { passed: 0, failed: [] }
        : askVerdicts(found, tally, started().options);
    },

    outcomes(target) {
      const tally = tallies.get(target);
      return tally === undefined ? new Map() : runOutcomes(tally);
    },

    cellOf(trial) {
      return tallies.get(trial.target)?.cellOf(trial, started().evidence) ?? null;
    },

    finish() {
      const { line, options } = started();
      const shared = usualAsks(tallies.values(), questions.values());
      const locked = new Set(line.library.skills.filter(({ modelInvocable }) => !modelInvocable).map(({ id }) => id));
      const targets = [...tallies.values()].map((tally) =>
        scoreTarget(tally, { shared, options, locked: tally.target.predicted ? locked : new Set() }),
      );
      const scores = { run: runOf(line, footer), options, plan: planOf(line, shared), targets };
      return { ...scores, gates: evaluateGates(scores, options.gates) };
    },
  };
}

/** The asks of the first target that is asked in the usual way. If there is none, they are built from the questions. */
function usualAsks(tallies: Iterable<TargetTally>, questions: Iterable<QuestionLine>): AskTallies {
  for (const tally of tallies) if (tally.isUsual) return tally.asks;
  const shared: AskTallies = new Map();
  for (const question of questions) if (question.baseline === undefined) addQuestion(shared, question);
  return shared;
}

export async function scoreRecord(
  lines: AsyncIterable<RecordLine | readonly RecordLine[]> | Iterable<RecordLine>,
  options: ScoreOptions = {},
): Promise<Scores> {
  const scorer = createScorer(options);
  const share = createSharing();
  const add = (line: RecordLine) => {
    if (line.type === "question") share(line);
    scorer.add(line);
  };
  for await (const one of lines) {
    if ("type" in one) add(one);
    else for (const line of one) add(line);
  }
  return scorer.finish();
}

function runOf(header: HeaderLine, footer: FooterLine | undefined): RunInfo {
  const { run, proctor, startedAt, library, suite, git, partial, shard, missingShards, options } = header;
  const paths = strings(options["paths"]);
  return {
    id: run,
    proctor,
    startedAt,
    endedAt: footer?.endedAt,
    how: footer?.how ?? "unfinished",
    library: {
      name: library.name,
      root: library.root,
      fingerprint: library.fingerprint,
      skills: library.skills.length,
    },
    suite,
    git,
    partial,
    paths: paths.length === 0 ? undefined : paths,
    said: strings(options["said"]),
    ownTargets: options["ownTargets"] === true ? true : undefined,
    shard,
    missingShards,
    limits: limitsOf(options["limits"]),
    notAsked: footer?.notAsked ?? {},
    saved: footer?.saved ?? { trials: 0 },
    changed: footer?.changed === undefined ? undefined : strings(footer.changed),
  };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function limitsOf(value: unknown): RunInfo["limits"] {
  const given = Object.entries(value ?? {}).filter(
    ([name, limit]) => ["usd", "tokens", "trials"].includes(name) && typeof limit === "number",
  );
  return Object.fromEntries(given);
}

function planOf({ library, targets }: HeaderLine, shared: AskTallies): PlanSummary {
  const asks = [...shared.values()].filter((ask) => ask.questions.length > 0);
  const all = asks.flatMap((ask) => ask.questions);
  const triggers = all.filter((question) => question.line.kind === "trigger");
  const negatives = triggers.filter((question) => question.role === "negative");
  const isSkipped = ({ line }: QuestionTally) =>
    targets.length > 0 && targets.every(({ id }) => line.skipped[id] !== undefined);
  const about = new Set(all.map((question) => question.skill));
  return {
    questions: all.length,
    prompts: asks.length,
    positive: triggers.length - negatives.length,
    negative: negatives.length,
    cases: all.length - triggers.length,
    invalid: all.filter((question) => question.line.invalid !== undefined).length,
    skipped: all.filter(isSkipped).length,
    drafts: all.filter((question) => question.line.draft === true && !question.line.cross).length,
    skillsWithoutQuestions: library.skills.map((skill) => skill.id).filter((id) => !about.has(id)),
    negatives: hardnessOf(
      negatives.filter((question) => !isSkipped(question)).map((question) => siblingsOf(question, shared)),
    ),
  };
}

function standingOf(
  question: QuestionTally,
  target: string,
  options: Pick<ResolvedScoreOptions, "threshold" | "negativeThreshold">,
): Standing {
  const runs = measuredRuns(question, target);
  const { positive, runs: planned } = question.line;
  return {
    hits: runs.filter((run) => has(run, RUN.passed) === positive).length,
    measured: runs.length,
    planned: planned[target] ?? 0,
    threshold: positive ? options.threshold : options.negativeThreshold,
  };
}
