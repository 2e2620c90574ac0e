/** Did the examinee end by asking instead of working? Its last line of words is a question. */
export function asksBack(finalText: string): boolean {
  const lines = finalText.split(/\r?\n/).filter((line) => /\p{L}/u.test(line));
  const last = lines
    .at(-1)
    ?.trimEnd()
    .replace(/(?<![\s*_"'`)\]”’»])[\s*_"'`)\]”’»]+$/u, "");
  return last !== undefined && /[?？؟]$/u.test(last);
}
