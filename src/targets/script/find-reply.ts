import type { RE2JS } from "re2js";
import { UsageError } from "../../base/index.ts";
import type { Script, ScriptedAnswer, ScriptedReply } from "./schema.ts";

export type Finder = (prompt: string, run: number, withoutSkill?: boolean) => ScriptedReply | undefined;

export async function createFinder(script: Script, shown: string): Promise<Finder> {
  const exact = new Map<string, ScriptedAnswer>();
  const patterns: { pattern: RE2JS; answer: ScriptedAnswer }[] = [];
  for (const { query, pattern, ...answer } of script.answers) {
    for (const one of typeof query === "string" ? [query] : (query ?? [])) if (!exact.has(one)) exact.set(one, answer);
    if (pattern !== undefined) patterns.push({ pattern: await compile(pattern, shown), answer });
  }
  return (prompt, run, withoutSkill = false) => {
    const answer =
      exact.get(prompt) ?? patterns.find(({ pattern }) => pattern.matcher(prompt).find())?.answer ?? script.default;
    const other = withoutSkill ? answer?.without_skill : undefined;
    if (other !== undefined) return replyOf(other, run, () => chance(script.seed + 7, prompt, run));
    return answer && replyOf(answer, run, () => chance(script.seed, prompt, run));
  };
}

async function compile(pattern: string, shown: string): Promise<RE2JS> {
  const { RE2JS } = await import("re2js");
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw new UsageError(
      `${shown}: \`${pattern}\` is not a valid pattern: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function replyOf(answer: ScriptedAnswer, run: number, random: () => number): ScriptedReply {
  const own = answer.runs?.[run];
  if (own !== undefined) return own;
  if (answer.hit_rate === undefined || random() < answer.hit_rate) return answer;
  return answer.otherwise ?? { ...answer, skills: [] };
}

/** A number in [0, 1) that looks random and depends on its arguments alone (cyrb53 with a final mix). */
export function chance(seed: number, text: string, run: number): number {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ Math.imul(run, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)) / 9007199254740992;
}
