import { oneLine } from "./words.ts";

/** Longest prompt in a list, in characters; the question's page has all of it. */
const MOST = 300;

export function Prompt({ text, plain = false }: { text: string; plain?: boolean }) {
  // A megabyte is not made readable letter by letter for what is cut off anyway.
  const line = oneLine(text.slice(0, MOST * 4));
  return <bdi class={plain ? "" : "prompt"}>{line.length > MOST ? `${line.slice(0, MOST).trimEnd()} …` : line}</bdi>;
}
