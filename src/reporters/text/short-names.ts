import { displayWidth } from "../../base/index.ts";

export function shortNames(names: string[], most: number): string[] {
  const shared = sharedStart(names.filter((name) => !name.startsWith("(")).map(withoutPlugin));
  const distinct = (name: string) => (name.startsWith("(") ? withoutPlugin(name) : withoutPlugin(name).slice(shared));
  const parts = [firstPart, lastPart, distinct];
  const unique = (shorten: (name: string) => string, name: string) =>
    names.every((other) => other === name || shorten(other) !== shorten(name));
  const short = names.map((name) => {
    const part = parts.find((shorten) => telling(shorten(name)) && unique(shorten, name));
    return middle((part ?? distinct)(name), most);
  });
  return short.map((text, index) => (short.indexOf(text) === index ? text : middle(`${text}#${index + 1}`, most)));
}

/** Length of the common prefix up to a separator: `team-` says nothing if all names have it. */
function sharedStart(names: string[]): number {
  const [first] = names;
  if (first === undefined || names.length === 1) return 0;
  let length = 0;
  while (length < first.length && names.every((name) => name[length] === first[length])) length++;
  for (;;) {
    const cut = first.slice(0, length).search(/[-_./][^-_./]*$/) + 1;
    if (cut === 0 || names.every((name) => telling(name.slice(cut)))) return cut;
    length = cut - 1;
  }
}

/** A bare number or letter is not distinctive. */
function telling(part: string): boolean {
  return displayWidth(part) >= 3 && /\p{L}/u.test(part);
}

function withoutPlugin(name: string): string {
  return name.startsWith("(") ? name.slice(1, -1) : name.slice(name.lastIndexOf(":") + 1);
}

function firstPart(name: string): string {
  return withoutPlugin(name).split(/[-_./]/)[0] ?? "";
}

function lastPart(name: string): string {
  return (
    withoutPlugin(name)
      .split(/[-_./]/)
      .at(-1) ?? ""
  );
}

/** Cut in the middle, because similar names differ at either end. */
function middle(text: string, most: number): string {
  const characters = [...text];
  while (displayWidth(characters.join("")) > most - 1 && displayWidth(text) > most)
    characters.splice(Math.ceil(characters.length / 2) - 1, 1);
  if (characters.length === [...text].length) return text;
  const half = Math.ceil(characters.length / 2);
  return `${characters.slice(0, half - 1).join("")}…${characters.slice(half - 1).join("")}`;
}
