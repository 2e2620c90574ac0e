import type { FooterLine, HeaderLine, QuestionLine, RecordLine } from "../records/index.ts";
import { type Asks, asksOf, siblingsOf } from "./asks.ts";
import { evaluateGates } from "./gates.ts";
import { type ResolvedScoreOptions, resolveOptions, type ScoreOptions } from "./options.ts";
import { hardnessOf } from "./rates.ts";
import { scoreTarget } from "./score-target.ts";
import type { Plan, RunInfo, Scores } from "./scores.ts";
import { TargetTally } from "./target-tally.ts";

/** Takes a record line by line, as a run writes it or as a report reads it, and keeps a few numbers per question. */
export interface Scorer {
  /** The header comes first, and a question before the trials that answer it. */
  add(line: RecordLine): void;
  /** What the record means so far; may be called again after more lines. */
  finish(): Scores;
}

export function createScorer(given: ScoreOptions = {}): Scorer {
  let head: { line: HeaderLine; options: ResolvedScoreOptions; regrade: boolean } | undefined;
  let footer: FooterLine | undefined;
  const questions = new Map<string, QuestionLine>();
  const asks = new Map<string | undefined, Asks>();
  const ownWay = new Set<string>();
  const tallies = new Map<string, TargetTally>();

  const started = () => {
    if (head === undefined) throw new Error("A record starts with its header");
    return head;
  };

  /** Of a target that is asked in its own way, or of all others; built once the questions are known. */
  const asksFor = (target: string | undefined): Asks => {
    const key = target !== undefined && ownWay.has(target) ? target : undefined;
    let known = asks.get(key);
    if (known === undefined) {
      known = asksOf([...questions.values()], key);
      asks.set(key, known);
    }
    return known;
  };

  return {
    add(line) {
      switch (line.type) {
        case "header":
          if (head === undefined) {
            const options = resolveOptions(given, line.options);
            head = { line, options, regrade: options.evidence !== resolveOptions({}, line.options).evidence };
          }
          for (const target of line.targets) if (!tallies.has(target.id)) tallies.set(target.id, new TargetTally(target));
          break;
        case "question":
          if (questions.has(line.id)) break;
          questions.set(line.id, line);
          for (const target of Object.keys(line.asks ?? {})) ownWay.add(target);
          asks.clear();
          break;
        case "trial":
          tallies.get(line.target)?.add(line, asksFor(line.target).get(line.ask), started().options, started().regrade);
          break;
        case "footer":
          footer = line;
          break;
      }
    },

    finish() {
      const { line, options } = started();
      const locked = new Set(line.library.skills.filter(({ modelInvocable }) => !modelInvocable).map(({ id }) => id));
      const targets = [...tallies.values()].map((tally) =>
        scoreTarget(tally, asksFor(tally.target.id), asksFor(undefined), options, tally.target.predicted ? locked : new Set()),
      );
      const scores = { run: runOf(line, footer), options, plan: planOf(line, asksFor(undefined)), targets };
      return { ...scores, gates: evaluateGates(scores, options.gates) };
    },
  };
}

export async function scoreRecord(lines: AsyncIterable<RecordLine> | Iterable<RecordLine>, options: ScoreOptions = {}): Promise<Scores> {
  const scorer = createScorer(options);
  for await (const line of lines) scorer.add(line);
  return scorer.finish();
}

function runOf(header: HeaderLine, footer: FooterLine | undefined): RunInfo {
  const { run, proctor, startedAt, library, suite, git, partial, shard, missingShards, options } = header;
  const paths = strings(options["paths"]);
  return {
    id: run,
    proctor,
    startedAt,
    ...(footer === undefined ? {} : { endedAt: footer.endedAt }),
    how: footer?.how ?? "unfinished",
    library: { name: library.name, root: library.root, fingerprint: library.fingerprint, skills: library.skills.length },
    suite,
    ...(git === undefined ? {} : { git }),
    ...(partial === undefined ? {} : { partial }),
    ...(paths.length === 0 ? {} : { paths }),
    said: strings(options["said"]),
    ...(options["ownTargets"] === true ? { ownTargets: true } : {}),
    ...(shard === undefined ? {} : { shard }),
    ...(missingShards === undefined ? {} : { missingShards }),
    limits: limitsOf(options["limits"]),
    notAsked: footer?.notAsked ?? {},
    saved: footer?.saved ?? { trials: 0 },
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

function planOf({ library, targets }: HeaderLine, shared: Asks): Plan {
  const all = [...shared.values()].flatMap((ask) => ask.questions);
  const triggers = all.filter((question) => question.line.kind === "trigger");
  const negatives = triggers.filter((question) => question.role === "negative");
  const isSkipped = ({ line }: (typeof all)[number]) => targets.length > 0 && targets.every(({ id }) => line.skipped[id] !== undefined);
  const about = new Set(all.map((question) => question.skill));
  return {
    questions: all.length,
    positive: triggers.length - negatives.length,
    negative: negatives.length,
    cases: all.length - triggers.length,
    invalid: all.filter((question) => question.line.invalid !== undefined).length,
    skipped: all.filter(isSkipped).length,
    drafts: all.filter((question) => question.line.draft === true && !question.line.cross).length,
    skillsWithoutQuestions: library.skills.map((skill) => skill.id).filter((id) => !about.has(id)),
    negatives: hardnessOf(negatives.filter((question) => !isSkipped(question)).map((question) => siblingsOf(question, shared))),
  };
}
