import type { CaseLift, Lift } from "../../model/index.ts";

export function casesText({ n, prompts }: Pick<Lift, "n" | "prompts">): string {
  const cases = `${n} ${n === 1 ? "case" : "cases"}`;
  return prompts < n ? `${cases} on ${prompts} ${prompts === 1 ? "prompt" : "prompts"}` : cases;
}

/** The skill's effect on one case. The interval decides what is claimed. */
export function liftWords(one: CaseLift, label: string): string {
  const { mark, with: own } = one;
  const loaded = own.trials > 0 && own.loaded === 0 ? "; the skill was never loaded" : "";
  // For two versions of a skill, passing both ways is good news.
  const nothing = mark === "passes both ways" && label === "without the skill" ? ": it measures nothing" : "";
  return `${claimOf(one) === "nothing" ? NOT_SURE[mark] : mark}${nothing}${loaded}`;
}

export function claimOf({ mark, low, high }: CaseLift): "helps" | "harms" | "nothing" {
  if (mark === "helps" && (low ?? 0) > 0) return "helps";
  return mark === "harms" && (high ?? 0) < 0 ? "harms" : "nothing";
}

/** One run more on one side shows little, so these texts claim little. */
const NOT_SURE: Record<CaseLift["mark"], string> = {
  helps: "passes only with it, in too few runs to be sure",
  harms: "fails only with it, in too few runs to be sure",
  "passes both ways": "passes both ways",
  "fails both ways": "fails both ways",
  "not compared": "not compared",
};
