import { type Location, readText } from "../base/index.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { placeIn } from "./place.ts";
import { problem } from "./rules.ts";
import type { Skill } from "./skill.ts";

/** Codex's own file about a skill. Only `policy.allow_implicit_invocation` says something about being activated. */
export function readOpenaiYaml(file: string, skill: Skill): void {
  const read = readText(file);
  if (read.status === "unreadable") {
    if (read.reason !== "missing") skill.problems.push(broken(file, read.message));
    return;
  }
  const start = read.bom ? 1 : 0;
  const { values, failure, repairs } = readFrontmatter(read.text, start, read.text.length);
  const fault = failure ?? repairs[0];
  if (fault) skill.problems.push(broken(file, fault.message, placeIn(read.text, file, fault.place)));
  else if (skill.reading) skill.reading.openai = values;
}

function broken(file: string, message: string, location: Location = { file }) {
  return problem("skill/openai-yaml", {
    message: `Codex cannot read this file: ${message}. Its policy for the skill does not apply.`,
    fix: "Mend the YAML, or remove the file.",
    location,
  });
}
