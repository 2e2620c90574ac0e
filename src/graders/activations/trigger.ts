import { basename, resolve } from "node:path";
import { z } from "zod";
import { isWithin, kindAt } from "../../base/index.ts";
import { KEYWORDS_NEED, type KeywordSource, keywordOverlap, readSkill } from "../../exam/find/index.ts";
import { checked, notMade } from "../checks.ts";
import { defineGrader } from "../grader.ts";

/**
 * waza's `trigger`: the share of words that the prompt has in common with a skill. It looks at no behaviour, so it is
 * only a baseline. Negative mode inverts the score, so that a pass scores high.
 */
export const trigger = defineGrader({
  type: "trigger",
  config: z.strictObject({
    skill_path: z.string().min(1),
    mode: z.enum(["positive", "negative"]),
    threshold: z.number().min(0).max(1).default(KEYWORDS_NEED),
  }),

  async grade({ skill_path, mode, threshold }, _transcript, { prompt, suiteDir }) {
    const skill = await skillAt(skill_path, suiteDir);
    if (typeof skill === "string") return [notMade(`skill_path ${skill_path} cannot be used: ${skill}`)];
    const { score, words } = keywordOverlap(skill)(prompt);
    const fires = score >= threshold;
    const share = `the prompt shares ${score.toFixed(2)} of its words with ${skill.name}${words.length > 0 ? ` (${words.slice(0, 8).join(", ")})` : ""}`;
    const passed = fires === (mode === "positive");
    return [
      {
        ...checked(passed, `${share}, ${fires ? "at least" : "less than"} ${threshold}`),
        score: mode === "positive" ? score : 1 - score,
      },
    ];
  },
});

/**
 * Accepts a SKILL.md or its folder, relative to the suite's folder or up to three levels above: waza resolves it
 * against its working directory.
 */
async function skillAt(path: string, suiteDir: string | undefined): Promise<KeywordSource | string> {
  if (suiteDir === undefined) return "it is relative to a suite, and there is none";
  const top = resolve(suiteDir, "..", "..", "..");
  for (const folder of [suiteDir, resolve(suiteDir, ".."), resolve(suiteDir, "..", ".."), top]) {
    const place = resolve(folder, path);
    const file = kindAt(place, top) === "folder" ? resolve(place, "SKILL.md") : place;
    if (!isWithin(top, file) || !/^SKILL\.md$/i.test(basename(file)) || kindAt(file, top) !== "file") continue;
    const { name, card, body } = await readSkill(file);
    return { name, description: card.description, body };
  }
  return "there is no such skill";
}
