import { z } from "zod";
import type { Check, WorkspaceFiles } from "../../model/index.ts";
import { checked } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { find, type PatternSyntax, pattern, patternSyntax, rejectPatterns, searched } from "../patterns/pattern.ts";
import { insidePath } from "./inside-path.ts";
import { absentCheck, existsCheck, isWorkspace, leftIn, textAt, textsAt } from "./left.ts";

const patterns = z.array(pattern("any")).default([]);
const block = z.strictObject({ path: insidePath, must_match: patterns, must_not_match: patterns });
const search = z.strictObject({ path: insidePath, pattern: pattern("any") });

const shape = {
  must_exist: z.array(insidePath).default([]),
  must_not_exist: z.array(insidePath).default([]),
  content_patterns: z.array(block).default([]),
  regex_match: z.array(search).default([]),
  regex_not_match: z.array(search).default([]),
};

/**
 * Checks which files exist and what they contain. `content_patterns` (waza's) takes one file each; all other paths may
 * be globs. `regex_not_match` fails if no file matches its path.
 */
export const file = defineGrader({
  type: "file",
  config: z
    .strictObject({ ...shape, syntax: patternSyntax })
    .refine(({ syntax: _, ...lists }) => Object.values(lists).some((list) => list.length > 0), {
      error: `Nothing to check: name ${Object.keys(shape).join(", ")}`,
    })
    .superRefine(({ content_patterns, regex_match, regex_not_match, syntax }, context) => {
      content_patterns.forEach(({ must_match, must_not_match }, index) => {
        rejectPatterns(must_match, { syntax, path: ["content_patterns", index, "must_match"], context });
        rejectPatterns(must_not_match, { syntax, path: ["content_patterns", index, "must_not_match"], context });
      });
      for (const [key, list] of Object.entries({ regex_match, regex_not_match }))
        rejectPatterns(
          list.map((one) => one.pattern),
          { syntax, path: [key], context },
        );
    }),
  scoring: "mean",

  grade({ must_exist, must_not_exist, content_patterns, regex_match, regex_not_match, syntax }, transcript) {
    const workspace = leftIn(transcript);
    if (!isWorkspace(workspace)) return [workspace];
    const found = (isWanted: boolean) => (one: z.output<typeof search>) =>
      searchCheck(workspace, { ...one, syntax, isWanted });
    return [
      ...must_exist.map((path) => existsCheck(workspace, path)),
      ...must_not_exist.map((path) => absentCheck(workspace, path)),
      ...content_patterns.flatMap((wanted) => contentChecks(workspace, wanted, syntax)),
      ...regex_match.map(found(true)),
      ...regex_not_match.map(found(false)),
    ];
  },
});

function contentChecks(
  workspace: WorkspaceFiles,
  { path, must_match, must_not_match }: z.output<typeof block>,
  syntax: PatternSyntax,
): Check[] {
  const read = textAt(workspace, path);
  if ("passed" in read) return [read];
  if (read.status === "none") return [path, ...must_match, ...must_not_match].map(() => checked(false, read.why));
  const contentCheck = (pattern: string, isWanted: boolean) => {
    const found = find(pattern, read.text, syntax);
    const message =
      found === undefined
        ? `nothing in ${path} matches /${pattern}/`
        : `${path} matches /${pattern}/${isWanted ? "" : ", but must not"}`;
    return checked((found !== undefined) === isWanted, message, found);
  };
  return [
    checked(true, `${path} exists`),
    ...must_match.map((pattern) => contentCheck(pattern, true)),
    ...must_not_match.map((pattern) => contentCheck(pattern, false)),
  ];
}

function searchCheck(
  workspace: WorkspaceFiles,
  { path, ...wanted }: { path: string; pattern: string; syntax: PatternSyntax; isWanted: boolean },
): Check {
  const read = textsAt(workspace, path);
  if ("passed" in read) return read;
  return read.status === "none" ? checked(false, read.why) : searched({ name: path, texts: read.texts }, wanted);
}
