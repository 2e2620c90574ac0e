/** What models put before a line and around its words when asked for a plain one: list marks, quotation marks of Markdown, bold, code. */
const LEAD = "^[ \\t]*(?:[-*+>#]+[ \\t]+|\\d+[.)][ \\t]+)*";
const MARKUP = "[ \\t*_`]*";
/** No model writes so much of it in a row, and patterns that may split a run in several ways take long over it. */
const LONG_RUN = /([ \t*_`]{8})[ \t*_`]+/g;

/**
 * What a reply states as `KEY=value REASON=…`, for keys with one value each, in their order. Only a line that begins with the first key counts: a mention in a
 * sentence may be quoted from what is judged. The last key's text goes to the end of its line.
 */
export function statedLines(reply: string, keys: Readonly<Record<string, string>>, text: string): string[][] {
  const values = Object.entries(keys).map(
    ([key, value]) => `${MARKUP}${key}${MARKUP}=${MARKUP}(${value})${MARKUP}[,;.]?`,
  );
  const line = new RegExp(`${LEAD}${values.join("")}\\s*(?:${MARKUP}${text}${MARKUP}=${MARKUP}(.*))?$`, "gm");
  return [...reply.replaceAll(LONG_RUN, "$1").matchAll(line)].map(([, ...found]) =>
    found.map((one = "") => one.replace(/[*_`\s]+$/, "").trim()),
  );
}

/** The one value that a reply states, and why; null when it states none, or two that differ. */
export function stated(reply: string, key: string, value: string): { value: string; reason: string } | null {
  const lines = statedLines(reply, { [key]: value }, "REASON");
  const [said = "", reason = ""] = lines[0] ?? [];
  return new Set(lines.map(([one]) => one)).size === 1 ? { value: said, reason } : null;
}
