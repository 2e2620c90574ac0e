interface Fault {
  code: string;
  message: string;
  pos: readonly [number, number];
}

export function yamlFault(text: string, error: Fault, contents: unknown): { message: string; at: number } {
  const quote = runawayQuote(text, error, contents);
  if (quote !== undefined) return { message: `a quote (${text[quote]}) is opened here and never closed`, at: quote };
  return { message: worded(text, error), at: error.pos[0] };
}

/**
 * The parser reports where it gave up: at the end of the file, or at the next quote, which closed the one left open.
 */
function runawayQuote(text: string, { code, message, pos }: Fault, contents: unknown): number | undefined {
  if (code === "MISSING_CHAR" && !message.includes("quote")) return undefined;
  const before = quotedScalars(contents).filter(([start]) => start < pos[0]);
  const [start, end] = before.at(-1) ?? [0, 0];
  const isOpen = code === "MISSING_CHAR" || /\n[ \t]*(?:- )?["']?[\w$-]+["']?[ \t]*:[ \t]/.test(text.slice(start, end));
  return end > start && isOpen ? start : undefined;
}

interface Tree {
  type?: string;
  range?: readonly [number, number, number] | null;
  items?: readonly unknown[];
  key?: unknown;
  value?: unknown;
}

function quotedScalars(contents: unknown): [number, number][] {
  const found: [number, number][] = [];
  const open: unknown[] = [contents];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== "object" || node === null) continue;
    const { type, range, items, key, value } = node as Tree;
    if (type?.startsWith("QUOTE_") && range) found.push([range[0], range[1]]);
    open.push(...(items ?? []), key, value);
  }
  return found.sort((a, b) => a[0] - b[0]);
}

function worded(text: string, { code, message, pos: [at] }: Fault): string {
  const end = text.indexOf("\n", at);
  const line = text.slice(at, end === -1 ? undefined : end);
  switch (code) {
    case "TAB_AS_INDENT":
      return "this line is indented with a tab, and YAML allows only spaces";
    case "BAD_SCALAR_START":
      return `a value that begins with ${text[at]} needs quotes`;
    case "BAD_DQ_ESCAPE":
      return `${text.slice(at, at + 2)} means nothing in double quotes: write \\${text.slice(at, at + 2)}, or use single quotes`;
    case "BLOCK_AS_IMPLICIT_KEY":
      return /:(?:\s|$)/.test(line)
        ? 'this value has a ": " and no quotes'
        : "the line after this one is indented too deep";
    case "UNEXPECTED_TOKEN":
      return message.startsWith("Unexpected scalar at node end")
        ? "there is more text here, after the value has ended"
        : plain(message);
    default:
      return plain(message);
  }
}

function plain(message: string): string {
  const [line = ""] = message.split("\n", 1);
  const first = line.replace(/ at line \d+, column \d+:?$/, "").replace(/[.:]$/, "");
  return first.charAt(0).toLowerCase() + first.slice(1);
}
