import { didYouMean, isSlip, type Problem } from "../../base/index.ts";
import type { NamesNear } from "../../exam/find/index.ts";
import { boolean, type Document, get, isNull, items, type Node, text, texts } from "../documents/index.ts";
import { suiteProblem } from "../rules.ts";

/** The folder decides which skill a native file is about; a `skill_name` that differs is a warning. */
export function nativeSkill(document: Document, names: NamesNear, problems: Problem[]): string | undefined {
  const echo = get(document.root, "skill_name") ?? get(document.root, "skill");
  // Null: the questions are about the whole library, wherever the file is.
  if (isNull(echo)) return undefined;
  const written = text(echo);
  const found = written === undefined ? undefined : names.resolve(written);
  const named = found !== undefined && "skill" in found ? found.skill : undefined;
  const owner = names.owner();
  const isGuess = owner?.by === "only" || owner?.by === "around";
  if (owner === undefined || (isGuess && written !== undefined)) return named?.id ?? written;
  const { skill } = owner;
  if (skill !== undefined && echo !== undefined && written !== undefined && named !== skill) {
    const right = skill.name;
    problems.push(
      suiteProblem("suite/skill-name", {
        message: `skill_name says "${written}", but these are the questions of ${skill.id}: the folder decides.`,
        fix: `Write "${right}", or delete the line.`,
        location: document.at(echo),
        edits: [{ start: echo.start, end: echo.end, text: JSON.stringify(right) }],
      }),
    );
  }
  return owner.id;
}

export function unknownKeys(
  document: Document,
  map: Node | undefined,
  { known, where = "a question" }: { known: ReadonlySet<string>; where?: string },
): Problem[] {
  if (map?.type !== "map") return [];
  return map.entries
    .filter((entry) => !known.has(entry.key) && !/^[$_]|^x-/.test(entry.key))
    .map((entry) =>
      suiteProblem("suite/unknown-field", {
        message: `"${entry.key}" is not a field of ${where} and has no effect.`,
        fix: didYouMean(
          entry.key,
          known,
          known.has("notes") ? "Delete it, or put what it says into `notes`." : "Delete it.",
          {
            most: 1,
            show: (key) => `\`${key}\``,
          },
        ),
        location: document.at(entry.start),
      }),
    );
}

/** For files that may hold other things too: a near miss of a known key is a warning, any other key a note. */
export function idleKeys(document: Document, map: Node | undefined, known: ReadonlySet<string>): Problem[] {
  if (map?.type !== "map") return [];
  return map.entries.flatMap((entry): Problem[] => {
    const meant = [...known].filter((key) => isSlip(entry.key, key));
    const alone = { ...map, entries: known.has(entry.key) ? [] : [entry] };
    if (meant.length > 0) return unknownKeys(document, alone, { known: new Set(meant) });
    return unknownKeys(document, alone, { known }).map((problem) => ({ ...problem, severity: "info" }));
  });
}

export function expectOf(node: Node | undefined): string[] | "none" | undefined {
  if (node === undefined) return undefined;
  const names = texts(node).filter((name) => name.trim() !== "");
  const nobody =
    isNull(node) ||
    (node.type === "list" && node.items.length === 0) ||
    (node.type === "scalar" && /^(?:none)?$/i.test(names[0] ?? ""));
  return nobody ? "none" : names;
}

export function isDraft(document: Document): boolean {
  return boolean(get(document.root, "draft")) === true;
}

export function nativeItems(document: Document, key: string): Node[] | undefined {
  if (document.root.type === "list") return document.root.items;
  const list = get(document.root, key);
  return list?.type === "list" ? items(list) : undefined;
}
