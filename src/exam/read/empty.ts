import { basename } from "node:path";
import type { Problem } from "../../base/index.ts";
import { type Document, isNull, type Node, suiteProblem } from "../../formats/index.ts";

/** A file with the name of a native suite that asks nothing: somebody believes that it does. */
export function emptyFile(document: Document): Problem[] {
  const name = /^(triggers|evals)\.(?:jsonc?|ya?ml)$/i.exec(basename(document.file))?.[1]?.toLowerCase();
  if (name === undefined || !asksNothing(document.root, name)) return [];
  return [
    suiteProblem("suite/empty", {
      message: "This suite has no questions, so nothing is asked.",
      fix:
        name === "triggers"
          ? "Add triggers with query and should_trigger (proctor init drafts some), or delete the file."
          : "Add evals with prompt and expectations, or delete the file.",
      location: { file: document.file, line: 1, column: 1 },
    }),
  ];
}

/** Keys that a suite may have besides its questions. */
const otherKeys = /^(?:skill_name|skill|draft|runs|models|version|notes|comment|description)$|^[$_]|^x-/;

function asksNothing(root: Node, name: string): boolean {
  if (root.type !== "map") return isNothing(root);
  return root.entries.every(({ key, value }) => otherKeys.test(key) || (key === name && isNothing(value)));
}

function isNothing(node: Node): boolean {
  if (node.type === "list") return node.items.length === 0;
  return node.type === "map"
    ? node.entries.length === 0
    : isNull(node) || (typeof node.value === "string" && node.value.trim() === "");
}
