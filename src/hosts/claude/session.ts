import type { TrialEvent } from "../../transcripts/index.ts";
import type { AgentAdapter, ShownSkills } from "../adapter.ts";
import { type Json, json, jsonLines, list, strings, text } from "../reading/json.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";

/** The session file has the listing as an attachment, word for word, and the skill that a prompt such as `/pdf` was replaced by. */
export const session: AgentAdapter["session"] = {
  files: ["claude/projects/*/*.jsonl"],
  read(files, staged) {
    const lines = files.flatMap((file) => jsonLines(file.text));
    const listings = lines
      .map((line) => json(line["attachment"]))
      .filter((attachment) => attachment["type"] === "skill_listing")
      .map((attachment) => text(attachment["content"]));
    return {
      ...(listings.length > 0 && { listing: asShown(listings.join("\n"), staged).listing }),
      before: invoked(lines, staged),
    };
  },
};

/** A prompt that begins with a skill's name and a slash is answered by the host itself: it puts the skill's body in the prompt's place. */
function invoked(lines: Json[], staged: StagedSkills): TrialEvent[] {
  const commands = new Set(
    lines
      .filter((line) => line["type"] === "user" && text(json(line["message"])["content"]).startsWith("<command-message>"))
      .map((line) => line["uuid"]),
  );
  return lines
    .filter((line) => line["isMeta"] === true && line["isSidechain"] !== true && commands.has(line["parentUuid"]))
    .flatMap((line) => [...strings(json(line["message"])["content"])])
    .flatMap((words) => {
      const folder = /^Base directory for this skill: (.+)$/m.exec(words)?.[1];
      const skill = folder === undefined ? undefined : staged.byDir(folder.trim());
      return skill === undefined ? [] : [{ type: "activation", skill: skill.id, turn: 1, evidence: "loaded" } as const];
    });
}

const HEADING = "The following skills are available for use with the Skill tool:";

export const LISTING_FORM = new RegExp(`${HEADING}\\s+[\\s\\S]*?(?=\\n\\s*\\n|\\n<\\/|$)`);

/** Newer models get the listing as a system message, older ones inside a reminder in the first user message. */
export function shown(request: unknown, staged: StagedSkills): ShownSkills {
  const block = [...messages(request)]
    .filter((words) => words.includes(HEADING))
    .map(
      (words) =>
        words
          .slice(words.indexOf(HEADING) + HEADING.length)
          .trimStart()
          .split(/\n\s*\n|\n<\//)[0]!,
    );
  return asShown(block.join("\n"), staged);
}

function* messages(request: unknown): Generator<string> {
  const body = json(request) as Json;
  for (const message of list(body["messages"])) yield* strings(message["content"]);
}

function asShown(block: string, staged: StagedSkills): ShownSkills {
  const entries = block.split("\n").flatMap((line) => {
    const found = /^- (.+?)(?: \([^)]*\))?(?:: (.*))?$/.exec(line);
    // Folders may have blanks in their names; the points of a list in a description have them too, and are no skills.
    const named = found !== null && (!/\s/.test(found[1]!) || staged.byName(found[1]) !== undefined);
    return named ? [{ name: found[1]!, text: found[2] }] : [];
  });
  const listing = staged.listed(entries);
  return { entries, listing, characters: block.length };
}
