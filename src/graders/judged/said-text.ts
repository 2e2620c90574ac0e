/**
 * The reply without its thinking. If it was cut off at the token limit, drops the last line, which may be half a
 * decision (`SCORE=1` of `SCORE=10`), unless its reason has begun.
 */
export function saidText(reply: string, cut = false): string {
  const said = withoutThinking(reply);
  if (!cut) return said;
  const last = said.lastIndexOf("\n") + 1;
  return /\sREASON=/.test(said.slice(last)) ? said : said.slice(0, last);
}

const OPENING = /^[ \t]*<(think|thinking|thought|reasoning)>/gim;
/** Some models start inside their thinking and mark only its end. */
const CLOSING = /^[ \t]*<\/(?:think|thinking|thought|reasoning)>/gim;

function withoutThinking(reply: string): string {
  const kept: string[] = [];
  let from = 0;
  OPENING.lastIndex = 0;
  for (let opening = OPENING.exec(reply); opening !== null; opening = OPENING.exec(reply)) {
    kept.push(reply.slice(from, opening.index));
    const closing = new RegExp(`</${opening[1]}>`, "gi");
    closing.lastIndex = OPENING.lastIndex;
    if (!closing.test(reply)) return afterThinking(kept.join(""));
    from = closing.lastIndex;
    OPENING.lastIndex = from;
  }
  kept.push(reply.slice(from));
  return afterThinking(kept.join(""));
}

function afterThinking(text: string): string {
  const last = [...text.matchAll(CLOSING)].at(-1);
  return last === undefined ? text : text.slice(last.index + last[0].length);
}
