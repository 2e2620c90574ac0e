import { RE2JS } from "re2js";
import { z } from "zod";
import type { Check } from "../../model/index.ts";
import { checked } from "../checks.ts";
import { isUnsupported, type PythonPattern, pythonPattern } from "./python.ts";

/**
 * `re2` as in Go and waza, `lines` with `^` and `$` at every line (evolve), `python` as in eva. The engine takes linear
 * time, so no pattern can hang an exam; look-around and back-references are rejected when the suite is read.
 */
export const patternSyntax = z.enum(["re2", "lines", "python"]).default("re2");

export type PatternSyntax = z.output<typeof patternSyntax>;

/** With `any` the syntax is a separate setting, and `rejectPatterns` checks the pattern later. */
export function pattern(syntax: PatternSyntax | "any" = "re2") {
  return z
    .string()
    .min(1)
    .superRefine((written, context) => {
      const message = syntax === "any" ? undefined : patternFault(written, syntax);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    });
}

export function rejectPatterns(
  patterns: readonly string[],
  { syntax, path, context }: { syntax: PatternSyntax; path: (string | number)[]; context: z.RefinementCtx },
): void {
  patterns.forEach((written, index) => {
    const message = patternFault(written, syntax);
    if (message !== undefined) context.addIssue({ code: "custom", path: [...path, index], message });
  });
}

const MAX_PATTERN_LENGTH = 10_000;

export function patternFault(written: string, syntax: PatternSyntax): string | undefined {
  if (written.length > MAX_PATTERN_LENGTH)
    return `A pattern may have at most ${MAX_PATTERN_LENGTH} characters; this one has ${written.length}`;
  try {
    compile(written, syntax);
    return undefined;
  } catch (error) {
    if (isUnsupported(error)) return error.message;
    return `Not a pattern (RE2 syntax): ${error instanceof Error ? error.message : String(error)}`;
  }
}

export function find(written: string, text: string, syntax: PatternSyntax = "re2"): string | undefined {
  const { engine, python } = compile(written, syntax);
  const matcher = engine.matcher(python === undefined ? text : python.prepare(text));
  if (!matcher.find()) return undefined;
  const group = matcher.group() ?? "";
  const found = python === undefined ? group : python.restore(group, (index) => matcher.group(index));
  return found.length > 80 ? `${found.slice(0, 80)}…` : found;
}

export function searched(
  { name, texts }: { name: string; texts: readonly { path: string; text: string }[] },
  { pattern, syntax, isWanted }: { pattern: string; syntax: PatternSyntax; isWanted: boolean },
): Check {
  for (const { path, text } of texts) {
    const found = find(pattern, text, syntax);
    if (found !== undefined)
      return checked(isWanted, `"${found}" in ${path} matches /${pattern}/${isWanted ? "" : ", but must not"}`);
  }
  return checked(!isWanted, `nothing in ${name} matches /${pattern}/`);
}

/** An invalid pattern matches nothing. */
export function matchesPattern(written: string, text: string): boolean {
  return patternFault(written, "re2") === undefined && find(written, text) !== undefined;
}

interface Compiled {
  engine: RE2JS;
  python?: PythonPattern;
}

const compiled = new Map<string, Compiled>();

export function compile(written: string, syntax: PatternSyntax = "re2"): Compiled {
  const key = `${syntax} ${written}`;
  let known = compiled.get(key);
  if (known === undefined) {
    known = compileNow(written, syntax);
    compiled.set(key, known);
  }
  return known;
}

function compileNow(written: string, syntax: PatternSyntax): Compiled {
  switch (syntax) {
    case "re2":
      return { engine: RE2JS.compile(written) };
    case "lines":
      return { engine: RE2JS.compile(written, RE2JS.MULTILINE) };
    case "python": {
      const python = pythonPattern(written);
      return { engine: RE2JS.compile(python.source), python };
    }
  }
}
