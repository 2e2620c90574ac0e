import { dirname, resolve } from "node:path";
import { isWithin, kindAt } from "../../base/index.ts";
import { type Document, type Node, text } from "../documents/index.ts";
import type { ReadContext } from "../format.ts";

export async function textOrFile(
  document: Document,
  node: Node | undefined,
  context: ReadContext,
): Promise<string | undefined> {
  const written = text(node);
  if (written === undefined || !/^[\w./\\-]{1,200}\.(?:md|txt)$/.test(written.trim())) return written;
  const file = resolve(dirname(document.file), written.trim());
  if (!isWithin(document.within, file) || kindAt(file, document.within) !== "file") return written;
  context.claim(file);
  return (await context.load(file))?.text.trim() ?? written;
}
