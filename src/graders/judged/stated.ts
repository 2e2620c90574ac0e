/** List markers, quotes, bold and code, which models add even when asked for a plain line. */
const LEAD = "^[ \\t]*(?:[-*+>#]+[ \\t]+|\\d+[.)][ \\t]+)*";
const MARKUP = "[ \\t*_`]*";
/** Long runs of markup would make the pattern below backtrack. */
const LONG_RUN = /([ \t*_`]{8})[ \t*_`]+/g;

/**
 * Parses lines of the form `KEY=value … TEXT=…`. Only a line that starts with the first key counts: elsewhere it may be
 * quoted from the judged work. The text extends to the end of its line.
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

export function stated(reply: string, key: string, value: string): { value: string; reason: string } | null {
  const lines = statedLines(reply, { [key]: value }, "REASON");
  const [said = "", reason = ""] = lines[0] ?? [];
  return new Set(lines.map(([one]) => one)).size === 1 ? { value: said, reason } : null;
}
