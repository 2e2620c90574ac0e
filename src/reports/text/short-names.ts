import { pad, truncate } from "./width.ts";

/** Names for narrow columns: the shortest telling part of each, never two alike. */
export function shortNames(names: string[], most: number): string[] {
  const parts = [firstPart, lastPart, withoutPlugin, (name: string) => name];
  const chosen = names.map((name) => {
    const part = parts.find((shorten) => names.every((other) => other === name || shorten(other) !== shorten(name)));
    return truncate((part ?? ((whole) => whole))(name), most);
  });
  return chosen.map((short, index) => {
    const twin = chosen.indexOf(short);
    const unique = twin === index ? short : `${truncate(short, most - 2)}${index}`;
    return pad(unique, Math.max(2, Math.min(most, [...unique].length)));
  });
}

function withoutPlugin(name: string): string {
  return name.startsWith("(") ? name.slice(1, -1) : name.slice(name.lastIndexOf(":") + 1);
}

function firstPart(name: string): string {
  return withoutPlugin(name).split(/[-_./]/)[0] || name;
}

function lastPart(name: string): string {
  return (
    withoutPlugin(name)
      .split(/[-_./]/)
      .at(-1) || name
  );
}
