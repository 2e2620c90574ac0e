import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { firstLine } from "../../../base/index.ts";
import type { TrialError } from "../../../model/index.ts";

/** A function of a definition failed: an error of the trial, with the line in its author's file. */
export class DefinitionFault extends Error {
  readonly failure: TrialError;

  constructor(failure: TrialError) {
    super(failure.message);
    this.failure = failure;
  }
}

/** A wrong return value is noticed in our code, so the stack does not lead to the author's file. */
export class WrongReturn extends Error {}

export function guarded<T>(agent: string, member: "launch" | "events" | "session" | "resume", call: () => T): T {
  try {
    return call();
  } catch (error) {
    const place = error instanceof Error && !(error instanceof WrongReturn) ? placeIn(error.stack ?? "") : undefined;
    const said = firstLine(error instanceof Error ? error.message : String(error));
    const at = place === undefined ? "" : ` at ${place}`;
    const sentence = /[.?!]$/.test(said) ? said : `${said}.`;
    throw new DefinitionFault({
      reason: member === "launch" || member === "resume" ? "crash" : "unparseable",
      message: `\`${member}\` of ${agent} failed${at}: ${sentence} Fix the file that defines it.`,
      retryable: false,
    });
  }
}

export function placeIn(stack: string): string | undefined {
  for (const [, place = "", line] of stack.matchAll(
    /(?:\(|at (?:async )?)((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()\n]*?):(\d+):\d+\)?$/gm,
  )) {
    const path = place.startsWith("file:") ? fileURLToPath(place) : place;
    if (path.split(/[\\/]/).includes("node_modules")) continue;
    return `${shortPath(path)}:${line}`;
  }
  return undefined;
}

export function shortPath(path: string): string {
  const near = relative(process.cwd(), path);
  return (near.startsWith("..") || isAbsolute(near) ? path : near).split(sep).join("/");
}
