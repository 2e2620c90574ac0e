import { count } from "../base/index.ts";
import { unknownModelText } from "../hosts/index.ts";
import type { Seen, SeenEntry } from "../targets/index.ts";
import { oneLine, wrap } from "./text/fit-text.ts";

export interface SeenByHost {
  library: string;
  seen: Seen;
  command: string;
}

const INDENT = 19;
const LINES = 4;
const SHORT = 40;

export function seeText({ library, seen, command }: SeenByHost, width: number): string {
  const { entries, bundled } = seen;
  const of = (shown: SeenEntry["shown"]) => entries.filter((entry) => entry.shown === shown);
  const cut = of("cut");
  const lines = [
    ...wrap(headline(library, seen), width),
    ...wrap(sizes(seen), width),
    ...warnings(seen).flatMap((line) => wrap(line, width)),
    ...group("whole", of("whole"), whole, "", width),
    ...group("cut", cut, (entry) => beginning(entry, cut.length), "the model sees only the beginning", width),
    ...group(
      "bare name",
      of("bare"),
      ({ skill }) => skill,
      "the model sees only these names, and nothing about what they do",
      width,
    ),
    ...notListed(of("absent"), width),
    ...names("bundled", bundled.length, bundled, "", width),
    ...advice(seen).flatMap((line) => wrap(line, width)),
    ...onOtherModels(seen, command, width),
  ];
  return `${lines.join("\n")}\n`;
}

function headline(library: string, { title, version, computed, model, requestModel, entries }: Seen): string {
  const how =
    computed === undefined
      ? `${version}, seen in its first request`
      : `${version}, worked out from its rules, not seen`;
  const full = requestModel === undefined || requestModel === model ? "" : ` (${requestModel})`;
  return `${title} ${how}   model ${model}${full}   library ${oneLine(library)}: ${count(entries.length, "skill")}`;
}

function sizes({ budget, characters, bundledCharacters, bundled }: Seen): string {
  const used = characters.toLocaleString("en");
  const own =
    bundledCharacters === 0
      ? ""
      : `, ${bundledCharacters.toLocaleString("en")} of them for its own ${count(bundled.length, "skill")}`;
  if (budget === undefined)
    return `${used} characters in all${own}. What it shows does not follow from the rules Proctor knows, so its budget is not shown.`;
  if (budget.characters === null) return `${used} characters in all${own}; ${budget.how}`;
  return `${used} of ${budget.characters.toLocaleString("en")} characters (${budget.how})${own}`;
}

function warnings({ computed, unknownModel, model, title }: Seen): string[] {
  return [
    ...(computed === undefined ? [] : [`${title} is ${computed}: what it really shows may differ.`]),
    ...(unknownModel ? [unknownModelText(title, model)] : []),
  ];
}

function whole({ skill, why }: SeenEntry): string {
  return why === undefined ? skill : `${skill} (${why})`;
}

/** If there are few, also shows where each is cut. */
function beginning({ skill, characters, of, text }: SeenEntry, among: number): string {
  const end = text === undefined || among > 5 ? "" : `: "…${oneLine(text).slice(-24)}"`;
  return `${skill} (${characters} of ${of}${end})`;
}

function notListed(entries: SeenEntry[], width: number): string[] {
  if (entries.length === 0) return [];
  const reasons = new Map<string, string[]>();
  for (const { skill, why = "the host does not say why" } of entries)
    reasons.set(why, [...(reasons.get(why) ?? []), skill]);
  const told = [...reasons].map(([why, skills]) => `${skills.join(", ")} (${oneLine(why)})`);
  return names("not listed", entries.length, told, "the model does not know about them", width, told.length + LINES);
}

function group(
  label: string,
  entries: SeenEntry[],
  name: (entry: SeenEntry) => string,
  meaning: string,
  width: number,
): string[] {
  return names(label, entries.length, entries.map(name), meaning, width);
}

function names(label: string, amount: number, all: string[], meaning: string, width: number, most = LINES): string[] {
  if (amount === 0) return [];
  const head = `  ${label.padEnd(11)}${String(amount).padStart(4)}   `.slice(0, INDENT + 1);
  const room = Math.max(SHORT, width - head.length);
  const lines: string[] = [];
  let shown = 0;
  for (const name of all) {
    const comma = shown === all.length - 1 ? "" : ",";
    const joined = lines.length === 0 ? `${name}${comma}` : `${lines.at(-1)} ${name}${comma}`;
    if (joined.length <= room && lines.length > 0) lines[lines.length - 1] = joined;
    else if (lines.length < most) lines.push(...wrap(`${name}${comma}`, room));
    else break;
    shown++;
  }
  if (shown < all.length) lines.push(`… and ${all.length - shown} more: --json lists all`);
  if (meaning !== "") lines.push(...wrap(`← ${meaning}`, room));
  return lines.map((line, index) => (index === 0 ? head : " ".repeat(head.length)) + line);
}

function advice({ entries, longest, budget }: Seen): string[] {
  if (entries.every(({ shown }) => shown === "whole" || shown === "absent")) return [];
  if (longest !== undefined)
    return [
      longest >= SHORT
        ? `With no description longer than ${longest} characters, all would be shown whole; or split the library.`
        : "Split the library: there is no room for descriptions of so many skills.",
    ];
  return budget === undefined
    ? ["Shorter descriptions or a smaller library would show more; run this again to see how much."]
    : [];
}

/** A command that does not fit on the line gets its own, so that it can be copied. */
function onOtherModels({ elsewhere }: Seen, command: string, width: number): string[] {
  return elsewhere.flatMap(({ model, characters, whole, cut, bare }) => {
    const shown = [
      `${whole} whole`,
      ...(cut > 0 ? [`${cut} cut`] : []),
      ...(bare > 0 ? [count(bare, "bare name")] : []),
    ].join(", ");
    const line = `On ${model} (${characters.toLocaleString("en")} characters): ${shown}.`;
    const whereToLook = `${command} --model ${model}`;
    const joined = `${line} ${whereToLook}`;
    return joined.length <= width ? [joined] : [...wrap(line, width), `  ${whereToLook}`];
  });
}
