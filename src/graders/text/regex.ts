import { z } from "zod";
import type { Check, Transcript } from "../../model/index.ts";
import { checked } from "../checks.ts";
import { insidePath } from "../files/inside-path.ts";
import { isWorkspace, leftIn, textsAt } from "../files/left.ts";
import { defineGrader } from "../grader.ts";
import { find, pattern } from "../patterns/pattern.ts";

/** evolve's patterns, in which `^` and `$` hold at every line. Without a path they are about the reply. */
const config = z.strictObject({ pattern: pattern("lines"), path: insidePath.optional(), text: z.string().optional() });

/** The pattern is found in a file, or in the reply. */
export const regex = defineGrader({
  type: "regex",
  config,
  grade: (config, transcript) => [searched(config, transcript, true)],
});

/** The pattern is not found there. A file that does not exist fails this too: there is nothing that could be right. */
export const notRegex = defineGrader({
  type: "not_regex",
  config,
  grade: (config, transcript) => [searched(config, transcript, false)],
});

function searched({ pattern, path }: z.output<typeof config>, transcript: Transcript, wanted: boolean): Check {
  const read = path === undefined ? inReply(transcript) : inFiles(path, transcript);
  if ("passed" in read) return read;
  if (read.status === "none") return checked(false, read.why);
  for (const { path: where, text } of read.texts) {
    const found = find(pattern, text, "lines");
    if (found !== undefined)
      return checked(wanted, `"${found}" in ${where} matches /${pattern}/${wanted ? "" : ", but must not"}`);
  }
  return checked(!wanted, `nothing in ${path ?? REPLY} matches /${pattern}/`);
}

const REPLY = "the reply";

function inReply({ finalText }: Transcript): ReturnType<typeof textsAt> {
  return { status: "texts", texts: [{ path: REPLY, text: finalText }] };
}

function inFiles(path: string, transcript: Transcript): ReturnType<typeof textsAt> {
  const workspace = leftIn(transcript);
  return isWorkspace(workspace) ? textsAt(workspace, path) : workspace;
}
