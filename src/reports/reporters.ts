import { nearest, UsageError } from "../base/index.ts";
import type { Scores } from "../scores/index.ts";
import { json } from "./json.ts";
import type { RenderOptions, Reporter } from "./reporter.ts";
import { terminal } from "./terminal.ts";

/** Every format a report can have. */
const reporters: readonly Reporter[] = [terminal, json];

export interface ParsedReporter {
  name: string;
  /** Where it is written; absent means standard output. */
  file?: string;
}

/** Reads `terminal,json=FILE`; `json=-` is standard output. */
export function parseReporters(text: string): ParsedReporter[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [name = "", ...rest] = part.split("=");
      find(name);
      const file = rest.join("=");
      return { name, file: file === "" || file === "-" ? undefined : file };
    });
}

/** Renders a report in the named format. */
export function renderReport(name: string, scores: Scores, options: RenderOptions = {}): string {
  return find(name).render(scores, options);
}

function find(name: string): Reporter {
  const found = reporters.find((reporter) => reporter.name === name);
  if (found !== undefined) return found;
  const names = reporters.map((reporter) => reporter.name);
  const near = nearest(name, names, 1)[0];
  throw new UsageError(`There is no reporter "${name}".`, near === undefined ? `Reporters: ${names.join(", ")}.` : `Did you mean ${near}?`);
}
