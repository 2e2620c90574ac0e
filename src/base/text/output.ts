import { createPlainMask, type Mask } from "../secrets/mask.ts";
import { secretsOf } from "../secrets/secret-values.ts";
import { printable } from "./printable.ts";

/**
 * What goes to a terminal, a pipe or a log: the one place that everything printed goes through.
 * Secrets are masked, and control characters that somebody else's text brought along become visible; our own line ends, tabs and colours stay.
 */
export function safeOutput(text: string): string {
  return withoutCommands(visible(mask()(text)));
}

/**
 * In the log of a CI service, lines that begin with its own words are commands. Somebody's skill called `::stop-commands::` is none; our
 * annotations are.
 */
function withoutCommands(text: string): string {
  const { GITHUB_ACTIONS, TF_BUILD, TEAMCITY_VERSION } = process.env;
  if (!(GITHUB_ACTIONS || TF_BUILD || TEAMCITY_VERSION) || !/::|##/.test(text)) return text;
  return text
    .replace(/^([ \t]*)::(?!(?:error|warning|notice) )/gm, "$1: :")
    .replace(/^([ \t]*)##(?=\[)/gm, "$1# #")
    .replace(/##(?=(?:vso|teamcity)\[)/g, "# #");
}

/** Hides further secrets from now on, such as keys that are in no variable. */
export function hideFromOutput(values: Iterable<string | undefined>): void {
  for (const value of values) if (value !== undefined) hidden.add(value);
  current = undefined;
}

/** Forgets every value that was added; the environment's stay hidden. */
export function forgetHidden(): void {
  hidden.clear();
  current = undefined;
}

const hidden = new Set<string>();
let current: Mask | undefined;

function mask(): Mask {
  current ??= createPlainMask([...secretsOf(process.env), ...hidden]);
  return current;
}

/** What picocolors writes: bold, dim, italic, underline, inverse, strike-through, colours and their ends. Not: hidden text, or moves of the cursor. */
const OURS = /\u001b\[(?:0|[1-479]|2[1-479]|3[0-79]|4[0-79]|9[0-7]|10[0-7])m|[\n\t]/;

function visible(text: string): string {
  if (!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/.test(text)) return text;
  let safe = "";
  let rest = text;
  for (let match = OURS.exec(rest); match !== null; match = OURS.exec(rest)) {
    safe += printable(rest.slice(0, match.index)) + match[0];
    rest = rest.slice(match.index + match[0].length);
  }
  return safe + printable(rest);
}
