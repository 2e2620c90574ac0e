import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shippedFrequencies } from "../../src/cards/words/word-frequencies.ts";

/** How many triggers each skill has. */
export const QUESTIONS_PER_SKILL = 4;

/**
 * Writes a made-up library: cards of 60 words with the word frequencies of real cards and rare words of their own, and for each skill four
 * triggers, of which two take half their words from its card.
 */
export function writeLibrary(dir: string, skills: number): void {
  const random = generator(skills);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(list.length * random())]!;
  const common = [...shippedFrequencies().counts].flatMap(([stem, count]) => new Array<string>(count).fill(stem));
  // A larger library knows more words (Heaps' law), as real ones do.
  const rare = Array.from({ length: Math.round(600 * Math.sqrt(skills)) }, () => word(pick, random));
  const draw = () => (random() < 0.6 ? pick(common) : pick(rare));
  const text = (length: number, from: () => string = draw) => Array.from({ length }, from).join(" ");
  for (let at = 0; at < skills; at++) {
    const name = `${draw()}-${draw()}-${at}`.replace(/[^a-z0-9-]/g, "");
    const purposes = text(55).split(" ");
    const folder = join(dir, "skills", name);
    mkdirSync(join(folder, "evals"), { recursive: true });
    const description = `${purposes.slice(0, 30).join(" ")}. Use when ${purposes.slice(30).join(" ")}. Do NOT use for ${text(8)}.`;
    writeFileSync(
      join(folder, "SKILL.md"),
      `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n# ${name}\n\n${text(80)}\n`,
    );
    const mixed = () => text(12, () => (random() < 0.5 ? pick(purposes) : draw()));
    const triggers = [mixed(), mixed(), text(12), text(12)].map((query, row) => ({ query, should_trigger: row < 2 }));
    writeFileSync(join(folder, "evals", "triggers.json"), JSON.stringify(triggers));
  }
}

function word(pick: <T>(list: readonly T[]) => T, random: () => number): string {
  const syllable = () => pick([..."bcdfghjklmnpqrstvwxz"]) + pick([..."aeiouy"]) + pick([..."bcdfgklmnprstvxz"]);
  return Array.from({ length: 2 + Math.floor(random() * 2) }, syllable).join("");
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
