/** Numbers in [0, 1) that are the same for the same seed. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Texts that have broken parsers before. */
const ODD = [
  "",
  " ",
  "\n",
  "\r\n",
  "\t",
  "\0",
  "\u001b[2J",
  "\u202e",
  "\ufeff",
  "\ud800",
  "'",
  '"',
  "`",
  "---\n",
  "```\n",
  "# ",
  "- ",
  "| ",
  "|---|",
  ": ",
  "? ",
  "&a ",
  "*a",
  "<<: *a",
  "!!binary x",
  "{{",
  "}}",
  "[",
  "]",
  "{",
  "}",
  "\\",
  "../",
  "/etc/passwd",
  "null",
  "true",
  "NaN",
  "-0",
  "1e309",
  "-1",
  "0x1F",
  "9007199254740993",
  "1e9",
  "__proto__",
  "constructor",
  "toString",
  '"__proto__": {}',
  "DECISION=YES\n",
  "SKILLS=",
  "SCORE=9",
  "$(x)",
  "%s",
  "🙂",
  "é",
  "漢",
];

/** Well-formed values of the wrong kind: the checks behind the parser see them. */
const VALUES = [
  "null",
  "true",
  "-1",
  "0",
  "1e15",
  '""',
  '"__proto__"',
  '"constructor"',
  "[]",
  "{}",
  "[null]",
  '["a", "a"]',
  '{ "constructor": 1 }',
];

/** One to six changes to a text; `other` is a second text to take pieces from. */
export function mutate(text: string, other: string, random: () => number): string {
  let result = text;
  const below = (n: number) => Math.floor(random() * n);
  for (let change = 1 + below(6); change > 0; change--) {
    const at = below(result.length + 1);
    const length = 1 + below(random() < 0.7 ? 8 : 200);
    const odd = ODD[below(ODD.length)] ?? "";
    switch (below(10)) {
      case 0:
        result = result.slice(0, at) + result.slice(at + length);
        break;
      case 1:
        result = result.slice(0, at) + odd + result.slice(at);
        break;
      case 2:
        result = result.slice(0, at) + odd + result.slice(at + length);
        break;
      case 3:
        result = result.slice(0, at) + String.fromCharCode(below(random() < 0.8 ? 128 : 65_536)) + result.slice(at + 1);
        break;
      case 4:
        result = result.slice(0, at) + result.slice(at, at + length).repeat(1 + below(20)) + result.slice(at);
        break;
      case 5:
        // A long run of one thing is what makes a pattern slow.
        result =
          result.slice(0, at) +
          (odd === "" ? " " : odd).repeat(below(random() < 0.1 ? 20_000 : 300)) +
          result.slice(at);
        break;
      case 6: {
        const from = below(other.length + 1);
        result = result.slice(0, at) + other.slice(from, from + length) + result.slice(at);
        break;
      }
      case 7:
        result = result.slice(0, at);
        break;
      case 8:
        result = otherValue(result, at, VALUES[below(VALUES.length)] ?? "null");
        break;
      default: {
        const lines = result.split("\n");
        const [one, two] = [below(lines.length), below(lines.length)];
        [lines[one], lines[two]] = [lines[two] ?? "", lines[one] ?? ""];
        result = lines.join("\n");
      }
    }
  }
  return result.slice(0, 300_000);
}

/** The text with another value for the next member of JSON after a place; the same text where there is none. */
function otherValue(text: string, at: number, value: string): string {
  const member = /"\s{0,8}:\s{0,8}/g;
  member.lastIndex = at;
  if (member.exec(text) === null) return text;
  const from = member.lastIndex;
  const old =
    /^(?:"(?:[^"\\]|\\.)*"|[\w.+-]+|\[[^[\]{}]*\]|\{[^[\]{}]*\})/.exec(text.slice(from, from + 2_000))?.[0] ?? "";
  return text.slice(0, from) + value + text.slice(from + old.length);
}
