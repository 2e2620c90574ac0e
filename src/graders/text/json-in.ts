export type FoundJson = { status: "found"; value: unknown } | { status: "none" } | { status: "several"; count: number };

/**
 * The reply itself; with `extract`, else the one piece of JSON in it: in a code block, or, where no block holds any, an
 * object or a list anywhere in the text.
 */
export function jsonIn(reply: string, extract: boolean): FoundJson {
  const whole = parsed(reply);
  if (whole !== undefined) return { status: "found", value: whole.value };
  if (!extract) return { status: "none" };
  const fenced = [...reply.matchAll(/^[ \t]*```[^\n]*\n(.*?)^[ \t]*```/gms)].flatMap(
    ([, inside = ""]) => parsed(inside) ?? [],
  );
  const found = fenced.length > 0 ? fenced : embedded(reply);
  if (found.length > 1) return { status: "several", count: found.length };
  return found[0] === undefined ? { status: "none" } : { status: "found", value: found[0].value };
}

/** A box, since the value may be `null`. */
interface Boxed {
  value: unknown;
}

function parsed(text: string): Boxed | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Objects and lists in prose. Skips bracketed text that is not JSON (`[the list]`), but looks inside it. */
function embedded(reply: string): Boxed[] {
  const found: Boxed[] = [];
  const ends = closings(reply);
  // Deeply nested brackets are scanned many times. A genuine reply needs a small part of this; an attack is cut off.
  let room = 20 * reply.length;
  for (let at = 0; at < reply.length && room > 0; at++) {
    const end = ends.get(at);
    if (end === undefined) continue;
    room -= end - at;
    const value = parsed(reply.slice(at, end + 1));
    if (value === undefined) continue;
    found.push(value);
    at = end;
  }
  return found;
}

/**
 * Position of each closing bracket by its opening one. Prose may have unpaired quotation marks, so strings are
 * recognised only inside brackets, and end with their line.
 */
function closings(reply: string): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let quoted = false;
  for (let at = 0; at < reply.length; at++) {
    const character = reply[at];
    if (quoted && character === "\\") at++;
    else if (character === "\n") quoted = false;
    else if (character === '"' && open.length > 0) quoted = !quoted;
    else if (quoted) continue;
    else if (character === "{" || character === "[") open.push(at);
    else if (character === "}" || character === "]") {
      const start = open.pop();
      if (start !== undefined) ends.set(start, at);
    }
  }
  return ends;
}
