import { z } from "zod";
import type { Transcript } from "../../transcripts/index.ts";
import { checked } from "../checks.ts";
import { insidePath } from "../files/inside-path.ts";
import { isWorkspace, leftIn, textAt } from "../files/left.ts";
import { type Check, defineGrader } from "../grader.ts";
import { find, pattern } from "../patterns/pattern.ts";

/** evolve's patterns, in which `^` and `$` hold at every line. Without a path they are about the reply. */
const config = z.strictObject({ pattern: pattern("lines"), path: insidePath.optional(), text: z.string().optional() });

/** The pattern is found in a file, or in the reply. */
export const regex = defineGrader({ type: "regex", config, grade: (config, transcript) => [searched(config, transcript, true)] });

/** The pattern is not found there. A file that does not exist fails this too: there is nothing that could be right. */
export const notRegex = defineGrader({ type: "not_regex", config, grade: (config, transcript) => [searched(config, transcript, false)] });

function searched({ pattern, path }: z.output<typeof config>, transcript: Transcript, wanted: boolean): Check {
  const where = path ?? "the reply";
  const read = path === undefined ? { status: "text" as const, text: transcript.finalText } : fileText(path, transcript);
  if ("passed" in read) return read;
  if (read.status === "none") return checked(false, read.why);
  const found = find(pattern, read.text, "lines");
  const message = found === undefined ? `nothing in ${where} matches /${pattern}/` : `"${found}" in ${where} matches /${pattern}/`;
  return checked((found !== undefined) === wanted, wanted || found === undefined ? message : `${message}, and must not`);
}

function fileText(path: string, transcript: Transcript): ReturnType<typeof textAt> {
  const workspace = leftIn(transcript);
  return isWorkspace(workspace) ? textAt(workspace, path) : workspace;
}
