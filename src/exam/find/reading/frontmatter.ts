import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from "yaml";
import { nestedTooDeep, withoutStacks, yamlFault } from "../../../base/index.ts";
import type { Field, Place, Repair } from "../../../model/index.ts";
import { repairYaml } from "./repair-yaml.ts";
import { readSimpleFrontmatter } from "./simple-frontmatter.ts";

export interface Frontmatter {
  values: Record<string, unknown>;
  fields: Map<string, Field>;
  repairs: Repair[];
  failure?: { message: string; place: Place };
}

/** Slow to parse, and far more than any host reads. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * Reads the YAML at [start, end) of a text. All places are positions in that text. Invalid YAML that hosts load anyway
 * is read as they do, and comes with a repair.
 */
export function readFrontmatter(text: string, start: number, end: number): Frontmatter {
  const source = text.slice(start, end);
  const place: Places = (from, to) => ({ start: from + start, end: to + start });
  const failed = (message: string, from = 0, to = from): Frontmatter => ({
    values: {},
    fields: new Map(),
    repairs: [],
    failure: { message, place: place(from, to) },
  });

  if (source.length > MOST_CHARACTERS) return failed("it is longer than 256 kB");
  if (nestedTooDeep(source)) return failed("it is nested too deeply");

  const simple = readSimpleFrontmatter(source);
  if (simple !== undefined) return { values: simple.values, fields: moved(simple.fields, place), repairs: [] };

  const parsed = parse(source);
  if (parsed.status === "broken") {
    const repaired = repairYaml(source, parsed.message);
    const second = repaired.length === 0 ? parsed : parse(withEdits(source, repaired));
    if (second.status !== "map") return failed(parsed.message, parsed.at, parsed.at);
    const repairs = repaired.map((repair) => ({
      ...repair,
      place: place(repair.place.start, repair.place.end),
      edit: { ...repair.edit, start: repair.edit.start + start, end: repair.edit.end + start },
    }));
    const fields = fieldsOf(second.map, shifted(repaired, place));
    for (const repair of repaired) {
      const field = fields.get(repair.field);
      if (field) Object.assign(field, { value: place(repair.edit.start, repair.edit.end), style: "plain" });
    }
    return { values: second.values, fields, repairs };
  }
  if (parsed.status === "empty") return { values: {}, fields: new Map(), repairs: [] };
  if (parsed.status === "other") return failed(parsed.message);
  const { values, map, doubled } = parsed;
  const failure = doubled && {
    message: "a key appears twice; the last one counts",
    place: place(doubled[0], doubled[1]),
  };
  return { values, fields: fieldsOf(map, place), repairs: [], failure };
}

function moved(fields: Map<string, Field>, place: Places): Map<string, Field> {
  for (const field of fields.values()) {
    field.key = place(field.key.start, field.key.end);
    field.value = place(field.value.start, field.value.end);
  }
  return fields;
}

type Parsed =
  | { status: "map"; values: Record<string, unknown>; map: YAMLMap.Parsed; doubled?: [number, number] }
  | { status: "empty" }
  | { status: "other"; message: string }
  | { status: "broken"; message: string; at: number };

function parse(source: string): Parsed {
  try {
    const document = withoutStacks(() =>
      parseDocument(source, { prettyErrors: false, logLevel: "silent", version: "1.2" }),
    );
    const [error] = document.errors;
    const duplicate = error !== undefined && document.errors.every(({ code }) => code === "DUPLICATE_KEY");
    if (error && !duplicate) return { status: "broken", ...yamlFault(source, error, document.contents) };
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null)) return { status: "empty" };
    if (!isMap(contents)) return { status: "other", message: "it is not a list of `key: value` lines" };
    const values = document.toJS({ maxAliasCount: 100 }) as Record<string, unknown>;
    // A YAML anchor may contain itself, which no later step could handle: throws here.
    if (source.includes("&")) JSON.stringify(values);
    return { status: "map", values, map: contents as YAMLMap.Parsed, doubled: duplicate ? error.pos : undefined };
  } catch (error) {
    return { status: "other", message: sentence(error instanceof Error ? error.message : String(error)) };
  }
}

type Places = (from: number, to: number) => Place;

function shifted(repairs: readonly Repair[], place: Places): Places {
  const back = (offset: number) => {
    let moved = 0;
    for (const { edit } of repairs) {
      if (offset < edit.start + moved) break;
      const grown = edit.text.length - (edit.end - edit.start);
      if (offset < edit.start + moved + edit.text.length) return edit.start;
      moved += grown;
    }
    return offset - moved;
  };
  return (from, to) => place(back(from), back(to));
}

function withEdits(source: string, repairs: readonly Repair[]): string {
  let result = "";
  let from = 0;
  for (const { edit } of repairs) {
    result += source.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + source.slice(from);
}

function fieldsOf(map: YAMLMap.Parsed, place: Places): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const pair of map.items as Pair[]) {
    if (!isScalar(pair.key) || !pair.key.range) continue;
    const [from, to] = pair.key.range;
    const key = place(from, to);
    fields.set(String(pair.key.value), fieldOf(pair.value, key, place));
  }
  return fields;
}

function fieldOf(value: unknown, key: Place, place: Places): Field {
  if (!isScalar(value)) {
    const range = (value as { range?: [number, number, number] } | null)?.range;
    return { key, value: range ? place(range[0], range[1]) : key, style: "other" };
  }
  const at = value.range && value.range[1] > value.range[0] ? place(value.range[0], value.range[1]) : key;
  switch (value.type) {
    case "PLAIN":
      return { key, value: at, style: "plain", comment: value.comment || undefined };
    case "QUOTE_DOUBLE":
    case "QUOTE_SINGLE":
      return { key, value: at, style: "quoted" };
    case "BLOCK_FOLDED":
    case "BLOCK_LITERAL":
      return { key, value: at, style: "block" };
    default:
      return { key, value: at, style: "other" };
  }
}

function sentence(message: string): string {
  const [line = ""] = message.split("\n", 1);
  return line.replace(/[.:]$/, "");
}
