import type { QuestionScore } from "../../model/index.ts";

/** It passed or failed. */
export function hasVerdict({ verdict }: Pick<QuestionScore, "verdict">): boolean {
  return verdict === "pass" || verdict === "fail";
}
