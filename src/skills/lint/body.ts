import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { Problem } from "../../base/index.ts";
import { problem } from "../rules.ts";
import type { Library, Skill } from "../skill.ts";
import { at, some } from "./lint.ts";

/** What the specification recommends; twice that is a warning. */
const MOST_LINES = 500;

export function lintBody(skill: Skill, library: Library): Problem[] {
  if (skill.body.trim() === "") {
    return [
      problem("skill/body-empty", {
        message: "There is nothing below the frontmatter: once activated, the skill tells the model nothing.",
        fix: "Write the instructions below the closing ---.",
        location: at(skill, { line: skill.reading?.bodyLine ?? 1, column: 1 }),
      }),
    ];
  }
  return [...long(skill), ...brokenLinks(skill, library)];
}

function long(skill: Skill): Problem[] {
  const lines = skill.body.trimEnd().split("\n").length;
  if (lines <= MOST_LINES) return [];
  return [
    problem("skill/body-long", {
      severity: lines > 2 * MOST_LINES ? "warning" : "info",
      message: `The body has ${lines} lines. All of it enters the context whenever the skill is activated; the specification recommends at most ${MOST_LINES}.`,
      fix: "Move details into files the body links to.",
      location: at(skill, { line: (skill.reading?.bodyLine ?? 1) + MOST_LINES, column: 1 }),
    }),
  ];
}

interface Link {
  target: string;
  line: number;
  column: number;
}

function brokenLinks(skill: Skill, library: Library): Problem[] {
  const broken = links(skill.body).filter(({ target }) => !leadsSomewhere(skill.dir, library.root, target));
  const [first] = broken;
  if (first === undefined) return [];
  const targets = [...new Set(broken.map(({ target }) => target))];
  return [
    problem("skill/broken-link", {
      message: `${targets.length === 1 ? "A link leads to a file that is" : `${targets.length} links lead to files that are`} not there: ${some(targets)}.`,
      fix: "Add what is missing, or correct the links; they are relative to the skill's folder.",
      location: at(skill, { line: (skill.reading?.bodyLine ?? 1) + first.line, column: first.column }),
    }),
  ];
}

/** Markdown links to files beside the skill. Code is left alone, and so is everything that looks like an example. */
function links(body: string): Link[] {
  if (!body.includes("](")) return [];
  const found: Link[] = [];
  let fence: string | undefined;
  for (const [line, text] of body.split("\n").entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1]?.slice(0, 3);
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (fence === mark) fence = undefined;
      continue;
    }
    if (fence !== undefined || !text.includes("](")) continue;
    const prose = text.replace(/`[^`]*`/g, (code) => " ".repeat(code.length));
    for (const match of prose.matchAll(/\]\(([^()\s]{1,400})(?:\s+"[^"]*")?\)/g)) {
      const target = match[1]!.replace(/[#?].*$/, "");
      if (isFileReference(target)) found.push({ target, line, column: match.index + 3 });
    }
  }
  return found;
}

function isFileReference(target: string): boolean {
  if (target === "" || /^([a-z][a-z0-9+.-]*:|\/|~|#|@)/i.test(target) || /[<>{}$*|\\]|\.\.\.|^path\/to\//.test(target)) return false;
  return /\.[a-z0-9]{1,8}$/i.test(target) || target.endsWith("/");
}

/** Nothing outside the root is looked at: it could not be shipped with the skill anyway. */
function leadsSomewhere(dir: string, root: string, target: string): boolean {
  const path = resolve(dir, decoded(target));
  const inside = path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
  return inside && existsSync(path);
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
