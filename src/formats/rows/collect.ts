import type { NamesNear } from "../../exam/find/index.ts";
import {
  boolean,
  type Entry,
  get,
  type ListNode,
  type MapNode,
  type Node,
  scalar,
  text,
  word,
} from "../documents/index.ts";
import {
  isOwnerKey,
  isTestedKey,
  labelWord,
  listLabel,
  nameStrength,
  normalKey,
  queryRank,
  splitOf,
  triggerKey,
} from "./label-words.ts";

/** A prompt with what its own keys and the blocks around it say. It becomes a trigger or a case. */
export interface Row {
  query: string;
  at: Node;
  map: MapNode;
  owner?: string;
  listLabel?: boolean;
  split?: string;
  tested: string[];
  list: string;
}

type InheritedFields = Omit<Row, "query" | "at" | "map">;

/** Finds rows in any wrapper. With `bareTexts`, a sentence in a list is a prompt even if no key says so. */
export function collectRows(root: Node, names: NamesNear, bareTexts = false): Row[] {
  const rows: Row[] = [];

  const visit = (node: Node, around: InheritedFields): void => {
    if (node.type === "list") for (const item of node.items) visitItem(item, around);
    else if (node.type === "map") visitMap(node, around);
  };

  const visitItem = (item: Node, around: InheritedFields): void => {
    const query = text(item);
    if (item.type === "map") visitMap(item, around);
    else if (item.type === "list") visitTuple(item, around);
    else if (
      query !== undefined &&
      query.trim() !== "" &&
      (around.listLabel !== undefined || (bareTexts && isSentence(query)))
    )
      rows.push({ ...around, query, at: item, map: mapOf(item, []) });
  };

  const visitTuple = (item: ListNode, around: InheritedFields): void => {
    const [first, second] = item.items;
    const query = text(first);
    if (first === undefined || query === undefined || second === undefined || !/\s/.test(query)) visit(item, around);
    else
      rows.push({
        ...around,
        query,
        at: item,
        map: mapOf(item, [
          entryOf("query", first),
          entryOf(boolean(second) === undefined ? "expected" : "should_trigger", second),
        ]),
      });
  };

  const visitMap = (map: MapNode, around: InheritedFields): void => {
    const query = queryOf(map);
    if (query !== undefined && isRow(map, around)) {
      rows.push({
        ...around,
        tested: [...around.tested, ...testedOf(map)],
        owner: ownerOf(map) ?? around.owner,
        query,
        at: map,
        map,
      });
      return;
    }
    const owner = ownerOf(map) ?? blockName(map, around);
    const inside: InheritedFields = {
      ...around,
      tested: [...around.tested, ...testedOf(map)],
      owner: owner ?? around.owner,
      listLabel: blockLabel(map) ?? around.listLabel,
    };
    const negatives = map.entries.some((entry) => listLabel(normalKey(entry.key)) === false);
    for (const entry of map.entries) visitEntry(entry, inside, { named: owner !== undefined, negatives });
    visitSentences(map, inside);
  };

  const visitEntry = (entry: Entry, around: InheritedFields, block: { named: boolean; negatives: boolean }): void => {
    const key = normalKey(entry.key);
    if (entry.value.type === "scalar" || ignored.test(key) || entry.key.startsWith("$")) return;
    const inside: InheritedFields = { ...around, list: key };
    const label =
      listLabel(key) ??
      around.listLabel ??
      ((promptLists.test(key) && (block.named || block.negatives) && holdsTexts(entry.value)) ||
      (block.negatives && /^triggers?(?:_|$)/.test(key))
        ? true
        : undefined);
    const split = splitOf(key);
    if (label !== undefined) inside.listLabel = label;
    else if (split !== undefined) inside.split = split;
    else if (around.list === "skills" || around.list === "by_skill" || (names.has(entry.key) && !wrappers.test(key))) {
      inside.owner = entry.key;
      if (holdsTexts(entry.value)) inside.listLabel ??= true;
    }
    visit(entry.value, inside);
  };

  const visitSentences = (map: MapNode, around: InheritedFields): void => {
    const sentences = map.entries.filter(
      (entry) => entry.value.type === "scalar" && entry.key.trim().split(/\s+/).length > 2,
    );
    if (sentences.length < 2 || sentences.length < map.entries.length / 2) return;
    for (const entry of sentences) {
      const value = word(entry.value) ?? "";
      if (labelWord(value) === undefined && !names.has(value)) continue;
      const query = scalar(entry.key, entry.start, entry.start + entry.key.length);
      rows.push({
        ...around,
        query: entry.key,
        at: query,
        map: mapOf(query, [entryOf("query", query), entryOf("expected", entry.value)]),
      });
    }
  };

  const blockName = (map: MapNode, around: InheritedFields): string | undefined => {
    for (const entry of map.entries)
      if (nameStrength(normalKey(entry.key)) === "sure" && names.has(text(entry.value) ?? "")) return text(entry.value);
    const name = text(get(map, "name")) ?? text(get(map, "id"));
    return name !== undefined && (around.list === "skills" || names.has(name)) ? name : undefined;
  };

  visit(root, { tested: [], list: "" });
  return rows;
}

function blockLabel(map: MapNode): boolean | undefined {
  for (const entry of map.entries) {
    const key = normalKey(entry.key);
    const polarity =
      triggerKey(key) ?? (/^(?:type|kind|category|label|expected|polarity)$/.test(key) ? true : undefined);
    const word = polarity === undefined ? undefined : (boolean(entry.value) ?? labelWord(text(entry.value) ?? "?"));
    if (typeof word === "boolean") return word === polarity;
  }
  return undefined;
}

const ignored =
  /^(?:comments?|notes?|versions?|schema|schema_version|thresholds?|metadata|assertions?|assert|expectations?|rubrics?|graders?|setup|results?|answers|responses|outputs|predictions|summary|config|defaults|hooks|metrics|files)$/;
const wrappers =
  /^(?:triggers|cases|evals|evaluations|items|test_cases|tests|scenarios|trigger_evals|trigger_tests|skills|rows|data|routing|queries|prompts|examples|routes)$/;
const promptLists =
  /^(?:queries|prompts|phrases|examples|utterances|trigger_phrases|trigger_queries|user_prompts|sample_prompts|example_prompts|requests|triggers|questions|inputs)$/;

function isSentence(query: string): boolean {
  return /\s|[^\p{ASCII}]/u.test(query.trim());
}

function holdsTexts(node: Node): boolean {
  return node.type === "list" && node.items.length > 0 && node.items.every((item) => text(item) !== undefined);
}

function queryOf(map: MapNode): string | undefined {
  const ranked = map.entries
    .map((entry) => ({ entry, rank: queryRank(normalKey(entry.key)) }))
    .filter(({ rank }) => rank !== -1)
    .sort((a, b) => a.rank - b.rank);
  for (const { entry } of ranked) {
    const query = text(entry.value) ?? (entry.value.type === "map" ? queryOf(entry.value) : undefined);
    if (query !== undefined && query.trim() !== "") return query;
  }
  const messages = map.entries.find((entry) =>
    /^(?:messages|conversation|turns|input_messages)$/.test(normalKey(entry.key)),
  )?.value;
  if (messages?.type !== "list") return undefined;
  const last = messages.items.findLast((item) => text(get(item, "role")) === "user");
  return text(get(last, "content"));
}

/** A map with rows of its own is a wrapper, even if it has a `prompt` (a judge's, for example). */
function isRow(map: MapNode, around: InheritedFields): boolean {
  const wraps = (node: Node) =>
    node.type === "list" && node.items.some((item) => item.type === "map" && queryOf(item) !== undefined);
  return (
    around.listLabel !== undefined ||
    !map.entries.some((entry) => !/messages|conversation|turns/.test(entry.key) && wraps(entry.value))
  );
}

function mapOf(at: Node, entries: Entry[]): MapNode {
  return { type: "map", start: at.start, end: at.end, entries };
}

function entryOf(key: string, value: Node): Entry {
  return { key, start: value.start, value };
}

function ownerOf(map: MapNode): string | undefined {
  const owners = map.entries.flatMap(({ key, value }) => {
    const name = text(value) ?? text(get(value, "name")) ?? text(get(value, "id"));
    return isOwnerKey(normalKey(key)) && name !== undefined && name !== "" ? { key: normalKey(key), name } : [];
  });
  const best = owners.find(({ key }) => !/path|dir|file/.test(key)) ?? owners[0];
  if (best !== undefined) return best.name;
  const about = map.entries.find(
    ({ key, value }) => /^(?:meta|metadata|info|about|header)$/.test(normalKey(key)) && value.type === "map",
  );
  return about?.value.type === "map" ? ownerOf(about.value) : undefined;
}

function testedOf(map: MapNode): string[] {
  return map.entries.flatMap((entry) =>
    isTestedKey(normalKey(entry.key)) && entry.value.type === "list"
      ? entry.value.items.flatMap((item) => text(item) ?? text(get(item, "name")) ?? text(get(item, "id")) ?? [])
      : [],
  );
}
