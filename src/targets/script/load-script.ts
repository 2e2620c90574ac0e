import { isNode, LineCounter, parseDocument } from "yaml";
import { noteText, readText, rejectionsOf, UsageError } from "../../base/index.ts";
import { type Script, scriptSchema } from "./schema.ts";

export function loadScript(file: string, shown: string): { script: Script; text: string } {
  const text = read(file, shown);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken !== undefined)
    throw new UsageError(`${shown}:${lines.linePos(broken.pos[0]).line} ${broken.message.split("\n")[0]}`);
  const given: unknown = document.toJS() ?? {};
  const parsed = scriptSchema.safeParse(given);
  if (parsed.success) return { script: parsed.data, text };

  // `!`: what is not accepted has at least one fault.
  const note = rejectionsOf(given, scriptSchema)[0]!;
  const path = note.key === undefined ? note.path : [...note.path, note.key];
  const node = nearestNode(document, path);
  const line = isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1;
  throw new UsageError(`${shown}:${line} ${noteText(note)}`, "docs/script-target.md says what a script may contain.");
}

function read(file: string, shown: string): string {
  const found = readText(file, { mostBytes: 64 * 1024 * 1024 });
  if (found.status === "text") return found.bom ? found.text.slice(1) : found.text;
  throw new UsageError(
    `Cannot read the script ${shown}: ${found.message}`,
    "script:FILE needs a YAML file with answers.",
  );
}

function nearestNode(document: ReturnType<typeof parseDocument>, path: (string | number)[]): unknown {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node)) return node;
  }
  return document.contents;
}
