import type { Problem } from "../../base/index.ts";
import type { AskedHosts } from "../../hosts/index.ts";
import { hostNames } from "../../hosts/index.ts";
import { withoutDescription } from "./description.ts";

export function withEffects(problem: Problem, asked: AskedHosts): Problem {
  switch (problem.code) {
    case "skill/no-frontmatter":
      return { ...problem, message: `${problem.message} ${withoutDescription(asked)}`.trim() };
    case "skill/invalid-frontmatter":
      return { ...problem, message: `${problem.message} ${broken(asked)}`.trim() };
    default:
      return problem;
  }
}

function broken({ hosts }: AskedHosts): string {
  const dropping = hosts.filter(({ lint }) => lint.brokenFrontmatter === "dropped");
  if (dropping.length === 0) return "Hosts load such a skill with what they can guess, often without a description.";
  const drop = `${hostNames(dropping)} ${dropping.length === 1 ? "drops" : "drop"} such a skill`;
  return `${drop}; other hosts load it with what they can guess, often without a description.`;
}
