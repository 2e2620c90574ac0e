import { expect, test } from "vitest";
import type { RoutedRow } from "../../src/reporters/route/json.ts";
import { routeHeadline } from "../../src/reporters/route/text.ts";

const row = (skill: string, score: number, verdict: RoutedRow["verdict"], excluded?: true): RoutedRow => ({
  skill,
  score,
  probability: score,
  verdict,
  words: ["state"],
  margin: 0,
  excluded,
});

test("a skill that fires below a doubtful best match is not said to be ahead of anything", () => {
  const ranking = [
    row("validate", 0.75, "uncertain", true),
    row("project", 0.71, "fires"),
    row("module", 0.7, "uncertain"),
  ];
  const library = {
    name: "l",
    skills: 3,
    fingerprint: "f",
    hidden: 0,
    unknown: [],
    needs: 0.69,
    silentBelow: 0.48,
    unsure: "nobody" as const,
    ranking,
  };
  expect(routeHeadline(library, "", "ask").text).toBe(
    "project fires (0.71). Cannot tell for the best match: validate has 0.75, but its card says that it is not for some of this.",
  );
});
