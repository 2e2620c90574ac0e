export type FoundJson = { status: "found"; value: unknown } | { status: "none" } | { status: "several"; count: number };

/**
 * The whole reply as JSON. With `extract`, otherwise the only JSON value in it: in code blocks, or, if none has any, an
 * object or list anywhere in the text.
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

/** Skips bracketed text that is not JSON (`[the list]`), but looks inside it. */
function embedded(reply: string): Boxed[] {
  const found: Boxed[] = [];
  const ends = closings(reply);
  // Nested brackets are scanned repeatedly. A genuine reply needs a small part of this budget; an attack runs out of
  // it.
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
 * Maps opening brackets to closing ones. Prose may have unpaired quotation marks, so strings count only inside brackets
 * and end with their line.
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
