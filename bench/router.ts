// How often the embedded router is right about libraries it has never seen, and how fast it is.
//   npm run bench -- router CORPUS [--json]       fitted without the repository it is measured on, in turn
//   npm run bench -- router CORPUS --shipped      as in the package: nothing is fitted
//   npm run bench -- router CORPUS --fit          writes the parameters of the package, and what was measured on the way
//   npm run bench -- router --speed               a made-up library of 1,000 skills
//   npm run bench -- router --everyday            the hundred prompts of examples/everyday
//   --without NAME                                leave out a repository, whose labels were misread for example
//   --packages FOLDER                             where embedded:minilm's packages are installed (else it is left out); with --speed only that is timed
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { MEASURED } from "../src/cards/firing/parameters.generated.ts";
import { MINILM_PARAMETERS, PARAMETERS } from "../src/cards/firing/parameters.ts";
import { shippedFrequencies } from "../src/cards/words/word-frequencies.ts";
import { BASELINES } from "./router-baselines.generated.ts";
import { type Repository, readCorpus } from "./router-corpus.ts";
import { askEveryday } from "./router-everyday.ts";
import { evidenceFor, fitParameters, type Similarities } from "./router-fit.ts";
import { frequenciesOf } from "./router-frequencies.ts";
import { type Figure, type Figures, figuresOf, type Measured, measure, WHEN_SURE } from "./router-measure.ts";
import {
  alwaysYes,
  bm25Scores,
  decider,
  embeddedDecider,
  fitRule,
  keywordScores,
  type Rule,
} from "./router-methods.ts";
import { measureMiniLm } from "./router-minilm-speed.ts";
import { loadSimilarities } from "./router-similarities.ts";
import { measureSpeed } from "./router-speed.ts";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    shipped: { type: "boolean", default: false },
    fit: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    speed: { type: "boolean", default: false },
    everyday: { type: "boolean", default: false },
    without: { type: "string", multiple: true, default: [] },
    packages: { type: "string" },
  },
});

type Results = Map<string, Measured[]>;

async function run(folders: readonly string[]): Promise<void> {
  const corpus = folders.flatMap(readCorpus).filter(({ name }) => !flags.without.some((left) => name.includes(left)));
  const similarities = await loadSimilarities(corpus, flags.packages);
  const results = flags.shipped ? shipped(corpus, similarities) : crossValidated(corpus, similarities);
  const figures = new Map([...results].map(([method, measured]) => [method, figuresOf(measured)]));
  print(figures, corpus);
  if (flags.fit) writeFitted(corpus, figures, similarities);
  if (flags.json) for (const [method, of] of figures) console.log(jsonLine(method, of));
}

/** Every figure is for a repository that neither the parameters nor the word frequencies have seen. */
function crossValidated(corpus: readonly Repository[], similarities: Similarities | undefined): Results {
  const results: Results = new Map();
  const keywords = corpus.map((repository) => ({ repository, scores: keywordScores(repository) }));
  for (const repository of corpus) {
    const others = corpus.filter((other) => other !== repository);
    const frequencies = frequenciesOf(others);
    const unseen = (other: Repository) => frequenciesOf(others.filter((one) => one !== other));
    const rules = {
      keywords: fitRule(keywords.filter((one) => one.repository !== repository)),
      bm25: fitRule(others.map((other) => ({ repository: other, scores: bm25Scores(other, unseen(other)) }))),
    };
    const evidence = others.map((other) => evidenceFor(other, unseen(other), similarities, MOST_ROWS));
    const parameters = fitParameters(evidence);
    add(results, "always-yes", measure(repository, alwaysYes));
    add(results, "keywords", measure(repository, decider(keywordScores(repository), AS_SHIPPED)));
    add(results, "keywords, refitted", measure(repository, decider(keywordScores(repository), rules.keywords)));
    add(results, "bm25", measure(repository, decider(bm25Scores(repository, frequencies), rules.bm25)));
    add(results, "embedded", measure(repository, embeddedDecider(repository, frequencies, parameters)));
    if (similarities === undefined) continue;
    const fused = fitParameters(evidence, { similarity: true });
    add(results, "embedded:minilm", measure(repository, embeddedDecider(repository, frequencies, fused, similarities)));
  }
  return results;
}

function shipped(corpus: readonly Repository[], similarities: Similarities | undefined): Results {
  const results: Results = new Map();
  const frequencies = shippedFrequencies();
  for (const repository of corpus) {
    add(results, "always-yes", measure(repository, alwaysYes));
    add(results, "keywords", measure(repository, decider(keywordScores(repository), AS_SHIPPED)));
    add(results, "keywords, refitted", measure(repository, decider(keywordScores(repository), BASELINES.keywords)));
    add(results, "bm25", measure(repository, decider(bm25Scores(repository, frequencies), BASELINES.bm25)));
    add(results, "embedded", measure(repository, embeddedDecider(repository, frequencies, PARAMETERS)));
    if (similarities === undefined) continue;
    add(
      results,
      "embedded:minilm",
      measure(repository, embeddedDecider(repository, frequencies, MINILM_PARAMETERS, similarities)),
    );
  }
  return results;
}

/** The parameters are fitted on the whole corpus; the accuracy written next to them was measured on repositories they had not seen. */
function writeFitted(
  corpus: readonly Repository[],
  figures: ReadonlyMap<string, Figures>,
  similarities: Similarities | undefined,
): void {
  const unseen = (repository: Repository) => frequenciesOf(corpus.filter((one) => one !== repository));
  const evidence = corpus.map((repository) => evidenceFor(repository, unseen(repository), similarities, MOST_ROWS));
  const fused = similarities === undefined ? undefined : fitParameters(evidence, { similarity: true });
  write("../src/cards/firing/parameters.generated.ts", [
    ["FITTED", fitParameters(evidence)],
    ["MEASURED", measuredOf(figures.get("embedded")!, corpus)],
    ["FITTED_MINILM", fused ?? MINILM_PARAMETERS],
  ]);
  const baselines = {
    keywords: fitRule(corpus.map((repository) => ({ repository, scores: keywordScores(repository) }))),
    bm25: fitRule(corpus.map((repository) => ({ repository, scores: bm25Scores(repository, unseen(repository)) }))),
  };
  write("router-baselines.generated.ts", [["BASELINES", baselines]]);
}

function measuredOf(
  { acc_both, coverage, accuracy_when_sure }: Figures,
  corpus: readonly Repository[],
): typeof MEASURED {
  return {
    accuracyBoth: acc_both.value!,
    coverage: coverage.value!,
    accuracyWhenSure: accuracy_when_sure.value!,
    collections: corpus.filter(({ rows }) => rows.length > 0).length,
  };
}

/** Rows to fit on per repository: enough, since every repository counts the same. */
const MOST_ROWS = 300;
const AS_SHIPPED: Rule = { atLeast: 0.6, slack: Number.POSITIVE_INFINITY };

function add(results: Results, method: string, measured: Measured): void {
  results.set(method, [...(results.get(method) ?? []), measured]);
}

function write(file: string, constants: [string, unknown][]): void {
  const short = (_key: string, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(4)) : value);
  const lines = constants.map(([name, value]) => `export const ${name} = ${JSON.stringify(value, short)};`);
  writeFileSync(
    fileURLToPath(new URL(file, import.meta.url)),
    ["// Generated by `npm run bench -- router CORPUS --fit`. Do not edit.", ...lines, ""].join("\n"),
  );
}

function print(figures: ReadonlyMap<string, Figures>, corpus: readonly Repository[]): void {
  const none = corpus.reduce((sum, repository) => sum + repository.none.length, 0);
  console.log(
    `${corpus.length} repositories, ${corpus.reduce((sum, { rows }) => sum + rows.length, 0)} labels, ${none} "none" queries; ${flags.shipped ? "as shipped, nothing fitted" : "cross-validated by repository"}\n`,
  );
  table(figures, ["acc_both", "balanced", "top1", "none"], true);
  console.log();
  table(new Map([...figures].filter(([, of]) => of.coverage.value !== null)), WHEN_SURE, false);
}

function table(
  figures: ReadonlyMap<string, Figures>,
  names: readonly Exclude<keyof Figures, "queries_per_s">[],
  speed: boolean,
): void {
  console.log(
    ["method".padEnd(20), ...names.map((name) => name.padEnd(Math.max(20, name.length + 2))), speed ? "queries/s" : ""]
      .join("")
      .trimEnd(),
  );
  for (const [method, of] of figures) {
    const cells = names.map((name) => shown(of[name]).padEnd(Math.max(20, name.length + 2)));
    console.log([method.padEnd(20), ...cells, speed ? (of.queries_per_s ?? "—") : ""].join("").trimEnd());
  }
}

function shown({ value, low, high }: Figure): string {
  const number = (one: number | null) => (one === null ? "—" : one.toFixed(3).replace(/^0/, ""));
  return value === null ? "—" : `${number(value)} [${number(low)}–${number(high)}]`;
}

function jsonLine(method: string, { queries_per_s, ...figures }: Figures): string {
  const value = ({ value: exact }: Figure) => (exact === null ? null : Math.round(exact * 10_000) / 10_000);
  const { acc_both, balanced, top1, none, ...sure } = figures;
  const old = {
    acc_both: value(acc_both),
    balanced: value(balanced),
    top1: value(top1),
    none: value(none),
    queries_per_s,
  };
  const told = Object.entries(sure).map(([name, figure]) => [name, value(figure)]);
  return JSON.stringify({ method, ...old, ...(sure.coverage.value === null ? {} : Object.fromEntries(told)) });
}

// What is written beside the parameters is what was measured on repositories that they had not seen.
if (flags.fit && flags.shipped)
  throw new Error("--fit measures by fitting without each repository in turn: leave out --shipped");
if (flags.speed) console.log(flags.packages === undefined ? measureSpeed() : await measureMiniLm(flags.packages));
else if (flags.everyday) console.log(await askEveryday(flags.packages));
else if (positionals.length === 0)
  throw new Error(
    "usage: npm run bench -- router CORPUS… [--shipped] [--fit] [--json] [--without NAME] [--packages FOLDER], --everyday or --speed",
  );
else await run(positionals);
