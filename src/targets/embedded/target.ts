import { ownFolder, UsageError, VERSION } from "../../base/index.ts";
import {
  attractingText,
  cachedVectors,
  cosine,
  createKeywordRouter,
  createRouter,
  embeddedText,
  loadMiniLm,
  MEASURED,
  MINILM_PARAMETERS,
  PARAMETERS,
  predictedNote,
  type RoutedSkill,
} from "../../cards/index.ts";
import { KEYWORDS_NEED } from "../../exam/find/index.ts";
import type { Ask, Library, Prediction, Ranked, TrialEvent } from "../../model/index.ts";
import type { Target } from "../target.ts";

export interface EmbeddedOptions {
  /** The folder whose `.proctor/cache` keeps card vectors between runs. */
  root?: string;
  most?: number;
}

export function embeddedTarget(spec: string, options: EmbeddedOptions = {}): Target {
  const { name, variant } = variantOf(spec);
  return {
    id: name === "" ? "embedded" : `embedded:${name}`,
    kind: "embedded",
    predicted: true,
    answers: { trigger: true, case: "it only reads cards and runs nothing" },
    expectedCostUsd: 0,
    note: variant.note,
    identify: async () => ({
      host: "embedded",
      version: VERSION,
      ...(await variant.identify(options)),
      deterministic: true,
    }),
    async open(library) {
      const predict = await variant.open(library, options);
      return {
        ask: async (ask) => ({ events: eventsOf(await predict(routedQuery(ask))), dispose: async () => {} }),
        close: async () => {},
      };
    },
  };
}

export async function openPredictor(spec: string, library: Library, options: EmbeddedOptions = {}): Promise<Predict> {
  return variantOf(spec).variant.open(library, options);
}

function variantOf(spec: string): { name: string; variant: Variant } {
  const name = spec.replace(/^embedded:?/, "");
  const variant = VARIANTS[name];
  if (variant !== undefined) return { name, variant };
  throw new UsageError(
    `There is no target \`embedded:${name}\``,
    "Use embedded, embedded:keywords or embedded:minilm.",
  );
}

export interface ExplainedPrediction extends Prediction {
  ranking: (Ranked & Partial<RoutedSkill>)[];
}

type Predict = (query: string) => ExplainedPrediction | Promise<ExplainedPrediction>;

interface Variant {
  note: string;
  identify(options: EmbeddedOptions): Promise<{ model?: string; options: Record<string, unknown> }>;
  open(library: Library, options: EmbeddedOptions): Promise<Predict>;
}

const VARIANTS: Record<string, Variant> = {
  "": {
    note: predictedNote(MEASURED),
    identify: async () => ({ options: { ...PARAMETERS, measured: MEASURED } }),
    open: async ({ skills }, { most }) => createRouter(skills, { most }).route,
  },
  keywords: {
    note: "predicted from text by waza's keyword overlap, not an agent run; for comparison only",
    identify: async () => ({ options: { needs: KEYWORDS_NEED } }),
    async open({ skills }) {
      const rank = createKeywordRouter(
        skills.map(({ id, name, card, body }) => ({ id, name, description: card.description, body })),
      );
      return (query) => ({ ranking: rank(query), needs: KEYWORDS_NEED });
    },
  },
  minilm: {
    note: [
      "predicted from the cards and sentence vectors, no agent ran",
      "how often it is right has not been measured, and each text that is new to it takes up to 0.4 s",
    ].join("; "),
    async identify() {
      return { model: (await loadMiniLm()).model, options: { ...MINILM_PARAMETERS } };
    },
    async open({ skills }, { root = process.cwd() }) {
      const embedder = await loadMiniLm();
      const texts = skills.map(({ card }) => embeddedText(attractingText(card)));
      const folder = ownFolder(root, "cache", "minilm");
      const vectors = await cachedVectors(texts, embedder, folder);
      const router = createRouter(skills, { parameters: MINILM_PARAMETERS });
      return async (query) => {
        const [vector = new Float32Array()] = await cachedVectors([embeddedText(query)], embedder, folder);
        return router.route(
          query,
          vectors.map((other) => cosine(vector, other)),
        );
      };
    },
  },
};

/** Characters of earlier messages, newest first: they say what "now the same for staging" is about. */
const MOST_CONTEXT = 2_000;

/** Leaves out files: a model that chooses by card has not opened them yet. */
export function routedQuery({ prompt, messages }: Pick<Ask, "prompt" | "messages">): string {
  const earlier = messages.filter(({ role }) => role === "user").map(({ content }) => content);
  return [prompt, earlier.reverse().join("\n").slice(0, MOST_CONTEXT)].join("\n").trim();
}

const SHOWN = 5;
/** Skills it keeps with their words. In a large library a query may be near to a hundred. */
const DETAILED = 20;

function eventsOf({ ranking, ...rest }: Prediction): TrialEvent[] {
  // Skills that fire or are uncertain are kept however far down they rank: readers of the record must find them.
  const kept = ranking.filter(({ verdict }, at) => at < SHOWN || verdict !== "silent");
  const prediction: Prediction = { ...rest, ranking: kept.slice(0, DETAILED).map(recorded) };
  const further = kept.slice(DETAILED).filter(({ verdict }) => verdict === "uncertain");
  if (further.length > 0) prediction.uncertain = further.map(({ skill }) => skill);
  const fired = ranking.filter(({ verdict }) => verdict === "fires");
  return [
    { type: "prediction", prediction },
    ...fired.map(({ skill }): TrialEvent => ({ type: "activation", skill, turn: 1, evidence: "predicted" })),
    { type: "end", how: "completed", costUsd: 0 },
  ];
}

function recorded({ skill, score, probability, verdict, words, excluded }: Ranked): Ranked {
  const ranked: Ranked = { skill, score, probability, verdict, words };
  if (excluded) ranked.excluded = true;
  return ranked;
}
