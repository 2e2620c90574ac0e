import type { QuestionLine } from "../../model/index.ts";

/**
 * Lets the questions of a record share the members that many of them have alike: what they expect, how often they are asked, their file. A record is
 * read line by line, and each line brings its own copies; of 50,000 questions they take several times as much memory as all else that is kept.
 */
export function createSharing(): (line: QuestionLine) => void {
  const known = new Map<string, unknown>();
  const shared = <T>(value: T): T => {
    // A text is its own name: what JSON makes of another value begins with a bracket or a brace.
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

/** What is alike turns up early; where nothing is, looking for more is in vain. */
const MOST = 20_000;
