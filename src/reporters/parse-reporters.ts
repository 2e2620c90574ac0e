import { nearest, UsageError } from "../base/index.ts";
import type { Scores } from "../model/index.ts";
import { reporters } from "./list.ts";
import type { Rendered, RenderOptions, Reporter } from "./reporter.ts";

export interface ParsedReporter {
  name: string;
  file?: string;
  reporter: Reporter;
}

/** Parses `terminal,json=FILE`; `json=-` is standard output. `own` are the reporters of the configuration. */
export function parseReporters(text: string, own: readonly Reporter[] = []): ParsedReporter[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [name = "", ...rest] = part.split("=");
      const reporter = find(name, [...reporters, ...own]);
      const file = rest.join("=");
      return { name, file: file === "" || file === "-" ? undefined : file, reporter };
    });
}

/** Names of the reporters that can show a run, a comparison or the problems of `proctor check`. */
export function reporterNames(shown: "render" | "compare" | "check" = "render"): string[] {
  return reporters.filter((reporter) => reporter[shown] !== undefined).map(({ name }) => name);
}

/** Identity function that types a custom reporter. */
export function defineReporter(reporter: Reporter): Reporter {
  return reporter;
}

/** Renders a report as a string. Formats that need the record itself require `renderPieces`. */
export function renderReport(name: string, scores: Scores, options: RenderOptions = {}): string {
  const rendered = find(name, reporters).render(scores, options);
  if (typeof rendered === "string") return rendered;
  throw new UsageError(
    `The reporter "${name}" renders its report in pieces.`,
    "Use renderPieces, which yields them one by one.",
  );
}

/** Renders a report in any format, piece by piece. */
export async function* renderPieces(name: string, scores: Scores, options: RenderOptions = {}): AsyncGenerator<string> {
  yield* pieces(find(name, reporters).render(scores, options));
}

export async function* pieces(rendered: Rendered): AsyncGenerator<string> {
  if (typeof rendered === "string") yield rendered;
  else yield* rendered;
}

function find(name: string, among: readonly Reporter[]): Reporter {
  const found = among.find((reporter) => reporter.name === name);
  if (found !== undefined) return found;
  const names = among.map((reporter) => reporter.name);
  const near = nearest(name, names, 1)[0];
  throw new UsageError(
    `There is no reporter "${name}".`,
    near === undefined ? `Reporters: ${names.join(", ")}.` : `Did you mean ${near}?`,
  );
}
