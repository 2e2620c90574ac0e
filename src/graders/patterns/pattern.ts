import { RE2JS } from "re2js";
import { z } from "zod";
import { isUnsupported, type PythonPattern, pythonPattern } from "./python.ts";

/**
 * How a pattern is meant: `re2` as Go and waza do, `lines` with `^` and `$` at every line (evolve), `python` as eva does. The engine takes
 * linear time, so no pattern can hang an exam; what it cannot do (look-around, back-references) is refused when the suite is read.
 */
export type PatternSyntax = "re2" | "lines" | "python";

/** A pattern from a suite. */
export function pattern(syntax: PatternSyntax = "re2") {
  return z
    .string()
    .min(1)
    .superRefine((written, context) => {
      const message = patternFault(written, syntax);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    });
}

/** Of one pattern; nobody writes a longer one by hand. */
const MOST_CHARACTERS = 10_000;

/** Why it is no pattern, or none that can be honoured. */
export function patternFault(written: string, syntax: PatternSyntax): string | undefined {
  if (written.length > MOST_CHARACTERS)
    return `A pattern may have at most ${MOST_CHARACTERS} characters; this one has ${written.length}`;
  try {
    compile(written, syntax);
    return undefined;
  } catch (error) {
    if (isUnsupported(error)) return error.message;
    return `Not a pattern (RE2 syntax): ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The first match, cut short for a message. */
export function find(written: string, text: string, syntax: PatternSyntax = "re2"): string | undefined {
  const { engine, python } = compile(written, syntax);
  const matcher = engine.matcher(python === undefined ? text : python.prepare(text));
  if (!matcher.find()) return undefined;
  const group = matcher.group() ?? "";
  const found = python === undefined ? group : python.restore(group, (index) => matcher.group(index));
  return found.length > 80 ? `${found.slice(0, 80)}…` : found;
}

/** Is it found in the text? One that is no pattern is not. */
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
