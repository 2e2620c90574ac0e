/** A streamed key may be cut anywhere. Every piece of at least 2 × ANCHOR − 1 characters contains a whole anchor. */
const ANCHOR = 8;
/** Pieces of shorter secrets would be ordinary words. */
const LONG = 20;

export function maskPieces(secrets: readonly string[], masked: string): (text: string) => string {
  const anchors = secrets.filter((secret) => secret.length >= LONG).flatMap(anchorsOf);
  if (anchors.length === 0) return (text) => text;
  return (text) => {
    for (const one of anchors) {
      const { anchor } = one;
      for (let found = text.indexOf(anchor); found >= 0; found = text.indexOf(anchor, found + masked.length)) {
        const { start, end } = widen(text, found, one);
        text = text.slice(0, start) + masked + text.slice(end);
        found = start;
      }
    }
    return text;
  };
}

interface Anchor {
  secret: string;
  at: number;
  anchor: string;
}

function anchorsOf(secret: string): Anchor[] {
  const anchors: Anchor[] = [];
  for (let at = 0; at + ANCHOR <= secret.length; at += ANCHOR) {
    const anchor = secret.slice(at, at + ANCHOR);
    // `sk-ant-api` or `internal` is no secret; a mix of letters and digits is.
    if (/[A-Za-z]/.test(anchor) && /[0-9]/.test(anchor)) anchors.push({ secret, at, anchor });
  }
  return anchors;
}

function widen(text: string, found: number, { secret, at }: Anchor): { start: number; end: number } {
  let before = 0;
  while (before < at && before < found && text[found - before - 1] === secret[at - before - 1]) before += 1;
  let after = ANCHOR;
  while (at + after < secret.length && text[found + after] === secret[at + after]) after += 1;
  return { start: found - before, end: found + after };
}
