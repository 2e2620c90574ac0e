import type { QuestionLine } from "../../model/index.ts";

/**
 * Lets the questions of a record share equal members: what they expect, how often they are asked, their file. Each line
 * is parsed with its own copies, which for 50,000 questions take several times as much memory as everything else that
 * is kept.
 */
export function createSharing(): (line: QuestionLine) => void {
  const known = new Map<string, unknown>();
  const shared = <T>(value: T): T => {
    // The leading quote keeps texts apart from the JSON of other values, which begins with a bracket or a brace.
    const text = typeof value === "string" ? `"${value}` : JSON.stringify(value);
    const before = known.get(text);
    if (before !== undefined) return before as T;
    if (known.size < MOST) known.set(text, value);
    return value;
  };
  return (line) => {
    if (line.skill !== undefined) line.skill = shared(line.skill);
    if (line.expect !== undefined) line.expect = shared(line.expect);
    line.tags = line.tags.length === 0 ? NO_TAGS : shared(line.tags);
    line.runs = shared(line.runs);
    line.skipped = shared(line.skipped);
    line.source.file = shared(line.source.file);
  };
}

const NO_TAGS: string[] = [];

/** Equal members turn up early. If there are none by then, looking for more is pointless. */
const MOST = 20_000;
