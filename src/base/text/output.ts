import { createPlainMask, type Mask } from "../secrets/mask.ts";
import { secretsOf } from "../secrets/secret-values.ts";
import { printable } from "./printable.ts";

/**
 * Everything printed to a terminal, a pipe or a log goes through here. Masks secrets and makes control characters from
 * untrusted text visible; our own line breaks, tabs and colours stay.
 */
export function safeOutput(text: string): string {
  return withoutCommands(visible(mask()(text)));
}

/**
 * In a CI log, lines with certain prefixes are commands. Disarms those from untrusted text, such as a skill called
 * `::stop-commands::`, but keeps our annotations.
 */
function withoutCommands(text: string): string {
  const { GITHUB_ACTIONS, TF_BUILD, TEAMCITY_VERSION } = process.env;
  if (!(GITHUB_ACTIONS || TF_BUILD || TEAMCITY_VERSION) || !/::|##/.test(text)) return text;
  return text
    .replace(/^([ \t]*)::(?!(?:error|warning|notice) )/gm, "$1: :")
    .replace(/^([ \t]*)##(?=\[)/gm, "$1# #")
    .replace(/##(?=(?:vso|teamcity)\[)/g, "# #");
}

export function hideFromOutput(values: Iterable<string | undefined>): void {
  for (const value of values) if (value !== undefined) hidden.add(value);
  current = undefined;
}

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

/** What picocolors writes: styles, colours and their ends. Excludes hidden text and cursor movement. */
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
