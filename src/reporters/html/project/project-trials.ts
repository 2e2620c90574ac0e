import type { CheckResult, ListingEntry, TrialLine } from "../../../model/index.ts";
import type { PageExam, PageTrial } from "../page-data.ts";
import type { ReadExam } from "../read-exam.ts";

const MOST_RANKED = 6;

export function pageTrials(
  {
    scores,
    trials,
    skills,
    short,
    cellOf,
  }: Pick<ReadExam, "scores" | "trials" | "short" | "cellOf"> & { skills: readonly { id: string }[] },
  places: ReadonlyMap<string, number>,
  embedded: ReadonlySet<object> | undefined,
): Pick<PageExam, "trials" | "listings" | "seenListings" | "transcripts"> {
  const targets = new Map(scores.targets.map(({ id }, at) => [id, at]));
  const listings = new Listings(skills.map(({ id }) => id));
  const cases = new Set(
    scores.targets.flatMap(({ questions }) => questions.filter(({ kind }) => kind === "case").map(({ id }) => id)),
  );
  const shown = trials.flatMap((line): PageTrial[] => {
    const target = targets.get(line.target);
    if (target === undefined) return [];
    const {
      ask,
      run,
      startedAt: at,
      ms,
      how,
      turns,
      activations,
      error,
      usage,
      costUsd,
      askedBecause,
      prediction,
    } = line;
    const here = embedded === undefined || embedded.has(line);
    return [
      {
        target,
        ask: short(ask),
        run,
        at,
        ms,
        how,
        turns,
        fired: activations,
        cell: cellOf(line) ?? undefined,
        askedBack: line.askedBack === true ? true : undefined,
        reason: line.reason,
        error,
        checks: line.checks
          .filter(({ question, passed }) => passed !== true || cases.has(question))
          .flatMap(({ question, ...check }) => {
            const place = places.get(question);
            return place === undefined ? [] : [{ ...check, parts: check.parts?.map(shortened), question: place }];
          }),
        retried: Math.max(0, line.attempts.length - 1),
        usage,
        costUsd,
        costEstimated: line.costEstimated === true ? true : undefined,
        cached: line.cached && { measuredAt: line.cached.measuredAt },
        askedBecause,
        listing: line.listing === undefined || line.listing.length === 0 ? undefined : listings.place(line.listing),
        prediction: prediction && { ...prediction, ranking: prediction.ranking.slice(0, MOST_RANKED) },
        transcript: line.transcript === undefined ? undefined : here ? "here" : "record",
        raw: line.raw === undefined ? undefined : true,
      },
    ];
  });
  return {
    trials: shown,
    listings: listings.all,
    seenListings: scores.targets.map((_, at) => [
      ...new Set(shown.flatMap(({ target, listing }) => (target === at && listing !== undefined ? [listing] : []))),
    ]),
    transcripts: {
      kept: shown.filter(({ transcript }) => transcript !== undefined).length,
      here: shown.filter(({ transcript }) => transcript === "here").length,
    },
  };
}

/** Characters per piece of evidence; the record has the rest. */
const MOST_EVIDENCE = 2_000;

function shortened(part: NonNullable<CheckResult["parts"]>[number]): typeof part {
  return part.evidence === undefined ? part : { ...part, evidence: part.evidence.slice(0, MOST_EVIDENCE) };
}

class Listings {
  readonly all: ListingEntry[][] = [];
  readonly #places = new Map<string, number>();
  readonly #skills: ReadonlySet<string>;

  constructor(skills: readonly string[]) {
    this.#skills = new Set(skills);
  }

  place(listing: readonly ListingEntry[]): number {
    const own = listing.filter(({ skill }) => this.#skills.has(skill));
    const key = own.map(({ skill, shown }) => `${skill} ${shown}`).join("\n");
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.all.length);
    this.all.push(own);
    return this.all.length - 1;
  }
}

/** Transcripts to embed first: of failed trials, then of flaky questions, then the rest. */
export function byInterest({ scores, trials }: ReadExam): TrialLine[] {
  const asks = new Map<string, number>();
  for (const { id, questions } of scores.targets)
    for (const { ask, verdict, flaky } of questions) {
      const interest = verdict === "fail" ? 2 : flaky || verdict !== "pass" ? 1 : 0;
      asks.set(`${id}\0${ask}`, Math.max(interest, asks.get(`${id}\0${ask}`) ?? 0));
    }
  const interest = (line: TrialLine) =>
    (line.error !== undefined || line.checks.some(({ passed }) => passed === false) ? 4 : 0) +
    (asks.get(`${line.target}\0${line.ask}`) ?? 0);
  return trials
    .map((line, at) => ({ line, at, rank: interest(line) }))
    .sort((a, b) => b.rank - a.rank || a.at - b.at)
    .map(({ line }) => line);
}
