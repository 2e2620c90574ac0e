import { resolve } from "node:path";
import { isWithin, kindAt, type Location, type Problem, problemsBy, type Rule } from "../../base/index.ts";
import { some } from "../../hosts/index.ts";
import type { Library, Skill } from "../../model/index.ts";
import { at } from "../places.ts";

export const bodyRules = {
  "skill/body-empty": { severity: "warning", title: "The skill has no instructions" },
  "skill/body-long": { severity: "info", title: "The instructions are longer than 500 lines" },
  "skill/broken-link": { severity: "warning", title: "A link points to a missing file" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(bodyRules);

/** The specification's recommendation. More than twice as many lines are a warning. */
const MOST_LINES = 500;

export function lintBody(skill: Skill, library: Library): Problem[] {
  if (skill.body.trim() === "") {
    return [
      problem("skill/body-empty", {
        message: "There is nothing below the frontmatter: once activated, the skill tells the model nothing.",
        fix: "Write the instructions below the closing ---.",
        location: inBody(skill, 0),
      }),
    ];
  }
  return [...long(skill), ...brokenLinks(skill, library)];
}

function long(skill: Skill): Problem[] {
  const lines = lineCount(skill.body.trimEnd());
  if (lines <= MOST_LINES) return [];
  return [
    problem("skill/body-long", {
      severity: lines > 2 * MOST_LINES ? "warning" : "info",
      message: `The body has ${lines} lines. All of it enters the context whenever the skill is activated; the specification recommends at most ${MOST_LINES}.`,
      fix: "Move details into files the body links to.",
      location: inBody(skill, lineStart(skill.body, MOST_LINES)),
    }),
  ];
}

function inBody(skill: Skill, offset: number): Location {
  const start = (skill.reading?.bodyStart ?? 0) + offset;
  return at(skill, { start, end: start });
}

function lineStart(text: string, line: number): number {
  let start = 0;
  for (let seen = 0; seen < line; seen++) start = text.indexOf("\n", start) + 1;
  return start;
}

function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

function brokenLinks(skill: Skill, library: Library): Problem[] {
  const broken = links(skill.body).filter(({ target }) => !leadsSomewhere(skill.dir, library.root, target));
  const inProse = broken.length === 0 ? [] : outsideCode(skill.body, broken);
  const [first] = inProse;
  if (first === undefined) return [];
  const targets = [...new Set(inProse.map(({ target }) => target))];
  return [
    problem("skill/broken-link", {
      message: `${targets.length === 1 ? "A link leads to a file that is" : `${targets.length} links lead to files that are`} not there: ${some(targets)}.`,
      fix: "Add what is missing, or correct the links; they are relative to the skill's folder.",
      location: inBody(skill, first.offset),
    }),
  ];
}

interface BodyLink {
  target: string;
  offset: number;
}

function links(body: string): BodyLink[] {
  if (!body.includes("](")) return [];
  const found: BodyLink[] = [];
  for (const match of body.matchAll(/\]\(([^()\s]{1,400})(?:\s+"[^"\n]{0,400}")?\)/g)) {
    const target = (match[1] ?? "").replace(/[#?].*$/s, "");
    if (isFileReference(target)) found.push({ target, offset: match.index + 2 });
  }
  return found;
}

function outsideCode(body: string, links: readonly BodyLink[]): BodyLink[] {
  const prose: BodyLink[] = [];
  const left = [...links];
  let fence: string | undefined;
  let start = 0;
  for (const line of body.split("\n")) {
    const end = start + line.length;
    const mark = /^\s*(```|~~~)/.exec(line)?.[1];
    while (left[0] !== undefined && left[0].offset <= end) {
      // `!`: the loop condition checks that there is a first one.
      const link = left.shift()!;
      const ticks = line.slice(0, link.offset - start).split("`").length - 1;
      if (fence === undefined && ticks % 2 === 0) prose.push(link);
    }
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    start = end + 1;
  }
  return prose;
}

function isFileReference(target: string): boolean {
  if (target === "" || /^([a-z][a-z0-9+.-]*:|\/|~|#|@)/i.test(target) || /[<>{}$*|\\]|\.\.\.|^path\/to\//.test(target))
    return false;
  return /\.[a-z0-9]{1,8}$/i.test(target) || target.endsWith("/");
}

/** A link out of the root counts as broken: its target could not ship with the skill. */
function leadsSomewhere(dir: string, root: string, target: string): boolean {
  const path = resolve(dir, decoded(target));
  return isWithin(root, path) && !["missing", "outside"].includes(kindAt(path, root));
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
