import type { TrialEvent } from "../../model/index.ts";
import type { AgentAdapter, SessionFile, ShownSkills, SubAgent } from "../adapter.ts";
import { notAsked } from "../reading/errors.ts";
import { type Json, json, jsonLines, list, strings, text } from "../reading/json.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { cli, reader } from "./read.ts";

/**
 * The session file holds the listing verbatim as an attachment, files the prompt names as `@file`, and the skill that
 * replaced a prompt such as `/pdf`. Sub-agents have their own files; stdout omits those started by other sub-agents.
 */
export const session: AgentAdapter["session"] = {
  files: ["claude/projects/*/*.jsonl", "claude/projects/*/*/subagents/**/*.jsonl"],
  read(files, staged) {
    const own = files.filter((file) => !isAgent(file));
    const lines = own.flatMap((file) => jsonLines(file.text));
    const commands = lines.filter(isCommand);
    const before = [...invoked(lines, staged), ...inlined(lines, staged)];
    const listings = lines
      .map((line) => json(line["attachment"]))
      .filter((attachment) => attachment["type"] === "skill_listing")
      .map((attachment) => text(attachment["content"]));
    return {
      listing: listings.length > 0 ? asShown(listings.join("\n"), staged).listing : undefined,
      before,
      agents: files
        .filter(isAgent)
        .map((file) => subAgent(file, staged))
        .sort((a, b) => (a.start < b.start ? -1 : 1)),
      spoilt: commands.length > 0 && before.length === 0 ? notAsked(cli, "") : undefined,
    };
  },
};

function invoked(lines: Json[], staged: StagedSkills): TrialEvent[] {
  const commands = new Set(lines.filter(isCommand).map((line) => line["uuid"]));
  return lines
    .filter((line) => line["isMeta"] === true && line["isSidechain"] !== true && commands.has(line["parentUuid"]))
    .flatMap((line) => [...strings(json(line["message"])["content"])])
    .flatMap((words) => {
      const folder = /^Base directory for this skill: (.+)$/m.exec(words)?.[1];
      const skill = folder === undefined ? undefined : staged.byDir(folder.trim());
      return skill === undefined ? [] : [{ type: "activation", skill: skill.id, turn: 1, evidence: "loaded" } as const];
    });
}

function isCommand(line: Json): boolean {
  return line["type"] === "user" && /^<command-(name|message)>/.test(text(json(line["message"])["content"]));
}

function inlined(lines: Json[], staged: StagedSkills): TrialEvent[] {
  return lines.flatMap((line) => {
    const attachment = json(line["attachment"]);
    const skill = attachment["type"] === "file" ? staged.byFile(attachment["filename"]) : undefined;
    return skill === undefined ? [] : [{ type: "activation", skill: skill.id, turn: 1, evidence: "read" } as const];
  });
}

function isAgent({ path }: SessionFile): boolean {
  return /[\\/]subagents[\\/]/.test(path);
}

function subAgent({ path, text: content }: SessionFile, staged: StagedSkills): SubAgent & { start: string } {
  const lines = jsonLines(content);
  const events = reader(staged);
  const agent = /([^/\\]+)\.jsonl$/.exec(path)?.[1] ?? "sub-agent";
  const task = lines.find((line) => line["type"] === "user");
  return {
    start: text(lines[0]?.["timestamp"]),
    task: [...strings(json(task?.["message"])["content"])].join("") || undefined,
    events: lines
      .flatMap((line) => events.read(line))
      .filter(({ type }) => type !== "text")
      .map((event) => ("turn" in event ? { ...event, agent } : event)),
  };
}

const HEADING = "The following skills are available for use with the Skill tool:";

export const LISTING_FORM = new RegExp(`${HEADING}\\s+[\\s\\S]*?(?=\\n\\s*\\n|\\n<\\/|$)`);

/** Newer models get the listing as a system message, older ones in a reminder within the first user message. */
export function shown(request: unknown, staged: StagedSkills): ShownSkills {
  const block = [...messages(request)]
    .filter((words) => words.includes(HEADING))
    .map((words) => {
      const [listing] = words
        .slice(words.indexOf(HEADING) + HEADING.length)
        .trimStart()
        .split(/\n\s*\n|\n<\//);
      return listing;
    });
  return asShown(block.join("\n"), staged);
}

function* messages(request: unknown): Generator<string> {
  const body = json(request) as Json;
  for (const message of list(body["messages"])) yield* strings(message["content"]);
}

function asShown(block: string, staged: StagedSkills): ShownSkills {
  const entries = block.split("\n").flatMap((line) => {
    const [, name, text] = /^- (.+?)(?: \([^)]*\))?(?:: (.*))?$/.exec(line) ?? [];
    // Folder names may contain blanks, but so may bullet points inside a description, which are not skills.
    if (name === undefined || (/\s/.test(name) && staged.byName(name) === undefined)) return [];
    return [{ name, text }];
  });
  const listing = staged.listed(entries);
  return { entries, listing, characters: block.length };
}
