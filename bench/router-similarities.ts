import { join } from "node:path";
import { loadMiniLm } from "../src/cards/minilm/load-model.ts";
import { cachedVectors, cosine, embeddedText } from "../src/cards/minilm/vectors.ts";
import { attractingText } from "../src/cards/ranking/card-index.ts";
import type { Repository } from "./router-corpus.ts";
import type { Similarities } from "./router-fit.ts";

/** How similar MiniLM finds every query and card; embedded once and stored. Undefined when its packages are not given. */
export async function loadSimilarities(
  corpus: readonly Repository[],
  packages: string | undefined,
): Promise<Similarities | undefined> {
  if (packages === undefined) return undefined;
  const embedder = await loadMiniLm(packages);
  const cards = (repository: Repository) => repository.cards.map(({ card }) => embeddedText(attractingText(card)));
  const queries = (repository: Repository) =>
    [...repository.rows.map(({ query }) => query), ...repository.none].map(embeddedText);
  const texts = [...new Set(corpus.flatMap((repository) => [...cards(repository), ...queries(repository)]))];

  const vectors = new Map<string, Float32Array>();
  const folder = join(packages, ".vectors");
  for (let at = 0; at < texts.length; at += BATCH) {
    const batch = texts.slice(at, at + BATCH);
    for (const [i, vector] of (await cachedVectors(batch, embedder, folder)).entries()) vectors.set(batch[i]!, vector);
  }
  const known = new Map(corpus.map((repository) => [repository, cards(repository).map((text) => vectors.get(text)!)]));
  return (repository, query) => {
    const own = vectors.get(embeddedText(query))!;
    return known.get(repository)!.map((other) => cosine(own, other));
  };
}

/** Small enough that the runtime does not start threads of its own. */
const BATCH = 16;
