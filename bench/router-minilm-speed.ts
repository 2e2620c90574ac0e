import { loadMiniLm } from "../src/cards/minilm/load-model.ts";

/** What `embedded:minilm` takes for texts that it has not seen, in processor time: once at the start, for a prompt of a dozen words, and for a card of a hundred. */
export async function measureMiniLm(packages: string): Promise<string> {
  const started = process.cpuUsage();
  const embedder = await loadMiniLm(packages);
  await embedder.embed(["Where is my parcel?"]);
  const start = milliseconds(started);
  const each = async (texts: string[]) => {
    const before = process.cpuUsage();
    for (const text of texts) await embedder.embed([text]);
    return Math.round(milliseconds(before) / texts.length);
  };
  const prompts = Array.from(
    { length: 60 },
    (_, at) => `Could you please tell me where parcel number ${at} is right now?`,
  );
  const cold = await each(prompts.slice(0, 5));
  await each(prompts.slice(5, 20));
  const warm = await each(prompts.slice(20));
  const card = await each(Array.from({ length: 10 }, (_, at) => `${at} ${CLAUSE.repeat(5)}`));
  return `embedded:minilm: ${(start / 1000).toFixed(1)} s to start; ${warm} ms for a prompt (${cold} ms for each of the first five); ${card} ms for a card of 100 words`;
}

const CLAUSE = "Finds where an order or a parcel is now and when it will arrive, from its order or tracking number. ";

function milliseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
