import { type Entry, type ListNode, type MapNode, type Node, scalar, text } from "./node.ts";

/**
 * Lists and tables of a Markdown page, keyed by heading: `## Should trigger` with a list becomes `{ "Should trigger":
 * [text…] }`, and a table becomes a list of rows.
 * A list item that begins with a quotation is reduced to it; the text after it and any list below it are the author's
 * comment. On a page about prompts (`isProse`), only quotations are prompts.
 */
export function parseMarkdown(page: string, isProse = false): Node {
  const entries: Entry[] = [];
  let section: { level: number; indent: number; list: ListNode } | undefined;
  let table: { names: string[]; list: ListNode } | undefined;
  let fenced = false;
  let start = 0;
  let quoted = -1;
  let isNext = false;
  const said = new Set<Node>();
  const isAboutSkills = aboutSkills.test(page);

  for (const line of page.split("\n")) {
    const end = start + line.length;
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const heading = fenced ? undefined : headingOf(line);
    if (heading !== undefined) {
      const label = isAboutSkills ? sectionLabel(heading.text) : undefined;
      isNext = prompt.test(heading.text.replace(/:$/, ""));
      // A deeper heading without a label of its own ("### Unrelated topics") only divides the list above it.
      if (section === undefined || heading.level <= section.level || label !== undefined || aside.test(heading.text)) {
        section = { level: heading.level, indent: 0, list: { type: "list", start, end, items: [] } };
        entries.push({ key: label ?? heading.text, start, value: section.list });
      }
      table = undefined;
    } else if (!fenced && line.includes("|") && section !== undefined) {
      table = readTableLine({ line, start }, table, entries);
    } else if (!fenced) {
      table = undefined;
      const last = section?.list.items.at(-1);
      if (
        last !== undefined &&
        last.end === start - 1 &&
        /^\s{2,}\S/.test(line) &&
        !/^\s*(?:[-*+]|\d+[.)])\s/.test(line)
      ) {
        section?.list.items.splice(-1, 1, scalar(`${text(last)} ${line.trim()}`, last.start, end));
      }
      const [, indent = "", mark = "", box, words] = item.exec(line.trimEnd()) ?? [];
      if (words !== undefined && section !== undefined && (last === undefined || indent.length <= section.indent + 1)) {
        section.indent = indent.length;
        if (mark === ">" && quoted === start && last !== undefined && !/^[“"‘「«']/.test(words))
          section.list.items.splice(-1, 1, scalar(`${text(last)} ${words}`, last.start, end));
        // A task (`- [ ] …`) is prose unless it quotes a prompt.
        else if (box === undefined || quotationIn(words) !== undefined)
          section.list.items.push(scalar(words, start + line.indexOf(words), end));
        if (mark === ">") quoted = end + 1;
        const added = section.list.items.at(-1);
        if (isNext && mark === ">" && added !== undefined) said.add(added);
      } else if (section !== undefined && isPrompt(line)) section.list.items.push(scalar(line.trim(), start, end));
    }
    start = end + 1;
  }
  for (const entry of entries) {
    keepPrompts(entry.value, said);
    keepQuotations(entry.value, said, isProse);
  }
  return {
    type: "map",
    start: 0,
    end: page.length,
    entries: entries.filter((entry) => entry.value.type === "list" && entry.value.items.length > 0),
  };
}

export function announcesPrompts(page: string): boolean {
  if (!aboutSkills.test(page)) return false;
  const lines = page.split("\n");
  return lines.some((line, at) => {
    const heading = headingOf(line);
    if (heading === undefined || sectionLabel(heading.text) === undefined) return false;
    const below = lines.slice(at + 1).find((one) => one.trim() !== "");
    return below !== undefined && headingOf(below) === undefined;
  });
}

const item = /^(\s{0,3})([-*+]|\d+[.)]|>)\s+(\[[ xX]\]\s+)?(\S.*)$/;

function isPrompt(line: string): boolean {
  const [lead, name = ""] = term.exec(line) ?? [];
  return lead !== undefined && prompt.test(name) && line.length > lead.length;
}

/**
 * `## Should trigger`, or what people write instead: `**Should trigger**` or `Should trigger:` on a line of its own.
 */
function headingOf(line: string): { level: number; text: string } | undefined {
  const marks = /^(#{1,6})\s/.exec(line)?.[1];
  if (marks !== undefined) return { level: marks.length, text: withoutMarks(line.slice(marks.length).trim()) };
  const bold = /^(?:\*\*|__)([^*_|]{3,80})(?:\*\*|__):?\s*$|^([\p{L}✅❌][^|*_]{2,60}):\s*$/u.exec(line);
  return bold === null ? undefined : { level: 7, text: bold[1] ?? bold[2] ?? "" };
}

function withoutMarks(heading: string): string {
  let end = heading.length;
  while (heading[end - 1] === "#") end--;
  return heading.slice(0, end).trimEnd();
}

const verb = "(?:trigger|activat|fire|match|load|invo[ck])";
const positive = new RegExp(
  `\\b(?:should|must|will|expected to)\\b(?!\\s*n[o’'])(?:(?!\\bnot\\b)[^,;(])*?\\b${verb}|\\bpositives?\\b|\\btrigger(?:ing)? (?:prompts|phrases|queries)\\b|\\bin[- ]scope\\b`,
  "i",
);
const negative = new RegExp(
  `\\b(?:should|must|will|do|does)(?:\\s+\\w+ly)?\\s*(?:not|n[’']t)\\b|\\bwon[’']t\\b|\\bnever\\b|\\bnegatives?\\b|\\b(?:non|no|not)[- ]?${verb}|\\bout[- ]of[- ]scope\\b|\\bnear[- ]miss(?:es)?\\b`,
  "i",
);

/**
 * A heading or title line about activating a skill. Without one, "must not" and "out of scope" may be about anything.
 */
const aboutSkills =
  /^(?:#{1,6}\s|\*\*|__|[\p{L}✅❌]).*\b(?:triggers?|triggered|triggering|activat\w+|invo[ck]\w+|skills?|positives?|negatives?)\b|^#{1,6}.*\bin[- ]scope\b/imu;

const both =
  /\b(?:should|must|will)\b(?!\s*n[o’'])[-\s\w]*?(?:\b(?:and|or|vs)\b\.?|[&/])\s*(?:should|must|will|wo)?[-\s]*n[o’']?t\b/i;
const longestHeading = 200;
const aside =
  /^\W*(?:notes?|scoring|score|(?:pass |success )?criteria|procedure|how to|results?|method|usage|see also|background)\b/i;

/**
 * The label that a heading gives to the list below it, as a key: `should_trigger` or `should_not_trigger`. If the
 * heading says both, the first counts; "should and should not" is no label.
 */
export function sectionLabel(heading: string): string | undefined {
  if (heading.length > longestHeading || both.test(heading)) return undefined;
  const yes = positive.exec(heading);
  const no = negative.exec(heading);
  if (yes === null || no === null)
    return yes !== null ? "should_trigger" : no !== null ? "should_not_trigger" : undefined;
  const [first, second] = yes.index < no.index ? [yes, no] : [no, yes];
  const between = heading.slice(first.index + first[0].length, second.index);
  if (/\b(?:and|vs|versus|or)\b|[&/]/i.test(between)) return undefined;
  return first === yes ? "should_trigger" : "should_not_trigger";
}

const term = /^(?:\*\*|__)([^*_]{1,60}?):?(?:\*\*|__)\s*[:—–-]?\s+/u;
const prompt = /^(?:user )?(?:prompt|query|question|input|request|user|utterance|phrase|ask)s?$/i;

/** Drops terms with an explanation (`**Priority:** P0`) and bare links, but keeps `**Prompt:** …`. */
function keepPrompts(node: Node, said: Set<Node>): void {
  if (node.type !== "list") return;
  node.items = node.items.flatMap((item): Node[] => {
    const words = text(item);
    if (words === undefined) return [item];
    const [lead, name = ""] = term.exec(words) ?? [];
    const rest = words.slice(lead?.length ?? 0);
    if (lead !== undefined) {
      const one = scalar(rest, item.start, item.end);
      if (prompt.test(name)) said.add(one);
      return prompt.test(name) || /^[“"‘「«']/.test(rest) ? [one] : [];
    }
    return /^!?\[[^\]]*\]\([^)]*\)[.,;]?$/.test(words.trim()) ? [] : [item];
  });
}

const quotation =
  /^(?:\*\*|__)?(?:“([^”]+)”|"((?:[^"\\]|\\.)+)"|‘((?:[^’]|’(?=\p{L}))+)’|'((?:[^']|'(?=\p{L}))+)'(?!\p{L})|「([^」]+)」|«([^»]+)»|`([^`]+)`)/u;

/**
 * Reduces an item to the quotation it begins with. If most items have one, the others are prose about them and are
 * dropped.
 */
function keepQuotations(node: Node, said: ReadonlySet<Node>, isProse: boolean): void {
  if (node.type !== "list") return;
  const quoted = node.items.map((item) => quotationIn(text(item) ?? ""));
  const most = quoted.filter((quote) => quote !== undefined).length > quoted.length / 2;
  node.items = node.items.flatMap((item, index): Node[] => {
    const quote = quoted[index];
    if (quote !== undefined && (most || quote.whole)) return [scalar(quote.text, item.start, item.end)];
    const isPlain = !most && !isProse && !aboutPrompts.test(text(item) ?? "");
    return item.type === "map" || said.has(item) || isPlain ? [item] : [];
  });
}

const userDoes =
  "who|asks?|wants?|needs?|mentions?|says?|uploads?|requests?|explicitly|provides?|describes?|is|are|has|have|does|doesn[’']t|types?|gives?|shares?|pastes?";
const aboutPrompts = new RegExp(
  `^(?:(?:when|whenever|if|cases where) )?(?:(?:the |an? |any )?users? (?:${userDoes})|(?:any (?:request|question|query|prompt|task)|requests|questions|queries|prompts|tasks) (?:about|that|where|which|like|involving|mentioning))\\b`,
  "i",
);
const lead = /^(?:\*\*[^*]{1,60}\*\*|__[^_]{1,60}__|[\p{L}\p{N}-]{1,20}(?=\s*[:—–]))\s*[:—–-]?\s*(?=[“"‘「«])/u;

function quotationIn(item: string): { text: string; whole: boolean } | undefined {
  const rest = item.replace(lead, "");
  const [whole = "", ...groups] = quotation.exec(rest) ?? [];
  const quote = groups.find((group) => group !== undefined);
  return quote === undefined ? undefined : { text: quote, whole: rest === item && whole.length === item.length };
}

function readTableLine(
  { line, start }: { line: string; start: number },
  table: { names: string[]; list: ListNode } | undefined,
  entries: Entry[],
) {
  const cells = cellsOf(line, start);
  if (cells.length < 2) return table;
  if (table === undefined) {
    const list: ListNode = { type: "list", start, end: start + line.length, items: [] };
    entries.push({ key: "table", start, value: list });
    return { names: cells.map((cell) => cell.value.replaceAll(/[*_`?]/g, "").trim()), list };
  }
  if (cells.every((cell) => /^:?-+:?$/.test(cell.value))) return table;
  const row: MapNode = { type: "map", start, end: start + line.length, entries: [] };
  cells.forEach((cell, index) => {
    const key = table.names[index];
    if (key !== undefined)
      row.entries.push({
        key,
        start: cell.start,
        value: scalar(unquoted(cell.value), cell.start, cell.start + cell.value.length),
      });
  });
  table.list.items.push(row);
  return table;
}

function cellsOf(line: string, start: number): { value: string; start: number }[] {
  const trimmed = line.trimEnd();
  const inner = trimmed.endsWith("|") ? trimmed.slice(0, -1).trimEnd() : line;
  const first = /^\s*\|/.exec(inner)?.[0].length ?? 0;
  const cells: { value: string; start: number }[] = [];
  let at = first;
  for (const part of inner.slice(first).split(/(?<!\\)\|/)) {
    cells.push({ value: part.trim(), start: start + at + (part.length - part.trimStart().length) });
    at += part.length + 1;
  }
  return cells;
}

function unquoted(cell: string): string {
  const match = quotation.exec(cell);
  return match !== null && match[0].length === cell.length
    ? (match.slice(1).find((group) => group !== undefined) ?? cell)
    : cell;
}
