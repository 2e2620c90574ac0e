import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leastCpu } from "./growth.ts";

/**
 * Every regular expression in src/, tried with texts that make backtracking slow: runs of what it repeats, with an end that does not fit.
 * Text from suites, skills, replies, streams and records reaches nearly all of them, so none is excused for where it stands.
 */
interface Found {
  place: string;
  pattern: RegExp;
}

const found = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.includes("generated"))
  .flatMap((name) => literalsIn(join("src", name)))
  .filter(({ pattern }, index, all) => all.findIndex((other) => `${other.pattern}` === `${pattern}`) === index);

/** Eight times the text may be this much more work: 8 where work grows with it, 64 with its square. */
const MOST_GROWTH = 24;
const LENGTHS = [500, 4_000, 32_000] as const;
/** Quicker than the least is not looked at any further; slower than the most is worse than the square, and would take for ever. */
const LEAST_MS = [0.03, 1.5, 80] as const;
const MOST_MS = [20, 800, Number.POSITIVE_INFINITY] as const;

test("there are many", () => {
  expect(found.length).toBeGreaterThan(400);
});

/** Slow on long texts, and never given one. By file, with a part of the pattern. */
const bounded: [file: string, part: string, why: string][] = [
  ["src/verbs/library/draft.ts", "(?<=.)", "the name of a skill, as a person types it"],
  ["src/hosts/sentence-parts.ts", "\\d{3}", "the digits of a number"],
  ["src/graders/patterns/python.ts", "\\]?(?:", "a pattern has at most 10,000 characters"],
  ["src/hosts/claude/session.ts", "jsonl", "a path, which systems limit to 4,096 bytes"],
  ["src/hosts/gemini/session.ts", "jsonl", "a path, which systems limit to 4,096 bytes"],
  ["src/hosts/qwen/session.ts", "jsonl", "a path, which systems limit to 4,096 bytes"],
  ["src/cards/draft/tasks.ts", "across", "14 words at most"],
  ["src/formats/rows/read-value.ts", "\\s", "runs of blanks are one before"],
];

test("none takes time out of proportion to the length of a text", () => {
  const isBounded = ({ place, pattern }: Found) =>
    bounded.some(([file, part]) => place.startsWith(`${file}:`) && pattern.source.includes(part));
  const slow = found
    .filter((one) => !isBounded(one))
    .flatMap(({ place, pattern }) => {
      const worst = texts(pattern).find(([, make]) => isSlow(pattern, make));
      return worst === undefined ? [] : [`${place}  ${pattern}  ${worst[0]}`];
    });
  expect(slow).toEqual([]);
}, 600_000);

function isSlow(pattern: RegExp, make: (length: number) => string): boolean {
  const took: number[] = [];
  for (const [index, length] of LENGTHS.entries()) {
    took.push(cpuOf(pattern, make(length)));
    if (took[index]! < LEAST_MS[index]!) return false;
    if (took[index]! > MOST_MS[index]!) return true;
  }
  return took[2]! / took[1]! > MOST_GROWTH;
}

function cpuOf(pattern: RegExp, text: string): number {
  return leastCpu(() => {
    const all = pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
    all.lastIndex = 0;
    text.replace(all, "");
  });
}

/** Runs of single characters and of pieces of the pattern itself, each with something at the end that spoils it. */
function texts(pattern: RegExp): [string, (length: number) => string][] {
  const pieces = new Set([
    " ",
    "\t",
    "\n",
    "a",
    "1",
    "-",
    ".",
    "/",
    "\\",
    '"',
    "'",
    "`",
    "#",
    "*",
    "_",
    "(",
    "[",
    "{",
    "<",
    ":",
    "|",
    ",",
    "a ",
    "a\n",
    "a.",
    ": ",
    "- ",
    "| ",
  ]);
  for (const [word] of pattern.source.matchAll(/[A-Za-z]{2,}|\\?[^\sA-Za-z0-9]/g))
    pieces.add(word.replace(/^\\(?=[^a-z])/i, ""));
  return [...pieces].flatMap((piece) =>
    ["\u0001", "\n\u0001"].map((end): [string, (length: number) => string] => [
      `${JSON.stringify(piece)} again and again, then ${JSON.stringify(end)}`,
      (length) => piece.repeat(Math.ceil(length / piece.length)) + end,
    ]),
  );
}

/** The literals of a file, found where one can stand: after a sign or a word that no value comes before. */
function literalsIn(file: string): Found[] {
  const text = readFileSync(file, "utf8").replace(/`(?:[^`\\]|\\[\s\S])*`/g, (quoted) => quoted.replace(/[^\n]/g, " "));
  const all: Found[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*(?:\*|\/\*|\/\/|import\b|export .* from )/.test(line)) continue;
    for (const match of line.matchAll(
      /(?:^|[(,=:[!&|?{};+]|\breturn|=>)\s*\/(?![*/])((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?![\w/])/g,
    )) {
      try {
        all.push({ place: `${file}:${index + 1}`, pattern: new RegExp(match[1]!, match[2]!.replace("y", "")) });
      } catch {
        // A division that looks like one.
      }
    }
  }
  return all;
}
