import type { Scores } from "../../model/index.ts";

/** Was nothing asked but what a tool drafted? A card that is quizzed with its own words shows nothing. */
export function onlyDrafts({ targets }: Pick<Scores, "targets">): boolean {
  const asked = targets.flatMap(({ questions }) =>
    questions.filter(({ status, cross }) => status === "asked" && !cross),
  );
  return asked.length > 0 && asked.every(({ draft }) => draft === true);
}
