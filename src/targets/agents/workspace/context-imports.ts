import { dirname, join, normalize } from "node:path";
import { isWithin, kindAt, readText, relativePosix } from "../../../base/index.ts";

interface ContextFile {
  path: string;
  content: string;
}

/** Hosts that support imports follow this many levels. */
const MOST_HOPS = 4;

/**
 * Files that instructions import (`@docs/rules.md`) from within the project, as hosts do. `leftOut` lists those
 * elsewhere or unreadable. A path that does not exist is no import: people write `@names`, too.
 */
export function importedFiles(
  files: readonly ContextFile[],
  project: string,
  mostBytes: number,
): { imported: ContextFile[]; leftOut: string[] } {
  const known = new Set(files.map(({ path }) => path));
  const imported: ContextFile[] = [];
  const leftOut = new Set<string>();
  let room = mostBytes;
  let from = files;
  for (let hop = 0; hop < MOST_HOPS && from.length > 0; hop++) {
    const next: ContextFile[] = [];
    for (const { path, content } of from) {
      for (const name of importsIn(content)) {
        const file = normalize(join(dirname(join(project, path)), name));
        if (/^[~/]/.test(name) || !isWithin(project, file)) {
          if (/^~?[/\\.]|\.\w+$/.test(name)) leftOut.add(name);
          continue;
        }
        const at = relativePosix(project, file);
        if (known.has(at) || kindAt(file, project) === "missing") continue;
        // Settings, hooks and the like are no instructions.
        if (/^\.(?!github\/)/.test(at)) {
          leftOut.add(name);
          continue;
        }
        known.add(at);
        const read = readText(file, { within: project, mostBytes: room });
        if (read.status === "text") {
          room -= Buffer.byteLength(read.text);
          next.push({ path: at, content: read.text });
        } else if (kindAt(file, project) !== "folder") leftOut.add(name);
      }
    }
    imported.push(...next);
    from = next;
  }
  return { imported, leftOut: [...leftOut] };
}

function importsIn(text: string): string[] {
  const prose = text.replaceAll(/^ {0,3}(```+|~~~+)[\s\S]*?^ {0,3}\1|`[^`\n]*`/gm, " ");
  return [...prose.matchAll(/(?:^|\s)@([^\s`"'()<>]+)/g)].map(([, name = ""]) =>
    name.replace(/(?<![.,;:!?])[.,;:!?]+$/, ""),
  );
}
