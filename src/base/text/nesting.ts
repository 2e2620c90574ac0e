const MOST_LEVELS = 200;

/**
 * Whether a YAML or JSON text may be nested deeper than any sensible file. Check before parsing: parsers recurse, and
 * V8 may even end the process when it compiles a regular expression on an almost full stack.
 */
export function nestedTooDeep(text: string, most: number = MOST_LEVELS): boolean {
  return bracketDepth(text) > most || indicatorDepth(text, most);
}

/** Brackets in strings count too: an upper bound that no ordinary text reaches. */
function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if ((code === 0x5d || code === 0x7d) && depth > 0) depth--;
  }
  return deepest;
}

function indicatorDepth(text: string, most: number): boolean {
  const indents: number[] = [];
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf("\n", start);
    if (end === -1) end = text.length;
    let at = start;
    let markers = 0;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x20 || code === 0x09) continue;
      const next = text.charCodeAt(at + 1);
      const marker = code === 0x2d || code === 0x3f || code === 0x3a;
      if (!marker || !(next === 0x20 || next === 0x09 || at + 1 === end)) break;
      markers++;
    }
    if (markers > most) return true;
    if (at < end) {
      const indent = at - start;
      while ((indents.at(-1) ?? -1) >= indent) indents.pop();
      indents.push(indent);
      if (indents.length > most) return true;
    }
    start = end + 1;
  }
  return false;
}
