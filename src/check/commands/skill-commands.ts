import type { Location } from "../../base/index.ts";
import { placeIn } from "../../exam/find/index.ts";
import type { Skill } from "../../model/index.ts";

export interface OwnCommand {
  /** Names the command within a sentence: `a hook (PreToolUse)`. */
  what: string;
  command: string;
  location: Location;
}

export function skillCommands(skill: Skill): OwnCommand[] {
  return [...hooksOf(skill), ...commandsInText(skill)];
}

function hooksOf(skill: Skill): OwnCommand[] {
  const hooks = skill.frontmatter["hooks"];
  if (hooks === undefined || hooks === null || hooks === false) return [];
  const events = Object.entries(typeof hooks === "object" ? hooks : { hooks });
  return events.flatMap(([event, value]) => {
    const commands = commandTexts(value);
    // Reports an unknown structure as it is, because a host may understand it.
    const all = commands.length > 0 ? commands : [typeof value === "string" ? value : (JSON.stringify(value) ?? "")];
    return all.map((command) => ({ what: `a hook (${event})`, command, location: placeOf(skill, command) }));
  });
}

/** Searches at any depth, because hosts nest hooks differently. */
function commandTexts(value: unknown, depth = 0): string[] {
  if (typeof value !== "object" || value === null || depth > 8) return [];
  if (Array.isArray(value)) return value.flatMap((one) => commandTexts(one, depth + 1));
  return Object.entries(value).flatMap(([key, one]) =>
    COMMAND_KEYS.has(key) && (typeof one === "string" || isTexts(one))
      ? [[one].flat().join(" ")]
      : commandTexts(one, depth + 1),
  );
}

const COMMAND_KEYS = new Set(["command", "bash", "powershell", "windows", "linux", "osx", "url", "httpUrl"]);

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}

function placeOf({ file, reading }: Skill, command: string): Location {
  if (reading === undefined) return { file };
  const field = reading.fields.get("hooks");
  const [line = ""] = command.split("\n", 1);
  const start = line === "" ? -1 : reading.text.indexOf(line, field?.key.start ?? 0);
  const inside = start >= 0 && start < reading.bodyStart;
  const place = inside ? { start, end: start + line.length } : (field?.key ?? { start: 0, end: 0 });
  return placeIn(reading.text, file, place);
}

const MOST_TOLD = 50;

function commandsInText({ file, body, reading }: Skill): OwnCommand[] {
  const start = reading?.bodyStart ?? 0;
  return reading === undefined ? commandsInMarkdown(file, body) : commandsInMarkdown(file, reading.text, start);
}

/** Claude Code runs !`command` at the start of a line or after a space, and code blocks that start with ```!. */
export function commandsInMarkdown(file: string, text: string, from = 0): OwnCommand[] {
  const found = [...blocks(text, from), ...inline(text, from)].sort((a, b) => a.start - b.start);
  return found.slice(0, MOST_TOLD).map(({ start, command }) => ({
    what: "a command in its text",
    command: command.trim(),
    location: placeIn(text, file, { start, end: start }),
  }));
}

interface SkillCommand {
  start: number;
  command: string;
}

function blocks(text: string, from: number): SkillCommand[] {
  const found: SkillCommand[] = [];
  for (let start = text.indexOf("```!", from); start >= 0 && found.length < MOST_TOLD; ) {
    const end = text.indexOf("```", start + 4);
    if (end < 0) break;
    found.push({ start, command: text.slice(start + 4, end) });
    start = text.indexOf("```!", end + 3);
  }
  return found;
}

function inline(text: string, from: number): SkillCommand[] {
  const found: SkillCommand[] = [];
  const pattern = /(?<=^|\s)!`([^`]+)`/gm;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null && found.length < MOST_TOLD; match = pattern.exec(text))
    found.push({ start: match.index, command: match[1] ?? "" });
  return found;
}
