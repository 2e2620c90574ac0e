import { z } from "zod";
import type { Check, WorkspaceFiles } from "../../model/index.ts";
import { checked } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { find, pattern } from "../patterns/pattern.ts";
import { insidePath } from "./inside-path.ts";
import { absentCheck, existsCheck, isWorkspace, leftIn, textAt } from "./left.ts";

const block = z.strictObject({
  path: insidePath,
  must_match: z.array(pattern()).default([]),
  must_not_match: z.array(pattern()).default([]),
});

/** waza's `file`: files that must and must not be there, and what is in them. Its score is the share of checks that passed. */
export const file = defineGrader({
  type: "file",
  config: z
    .strictObject({
      must_exist: z.array(insidePath).default([]),
      must_not_exist: z.array(insidePath).default([]),
      content_patterns: z.array(block).default([]),
    })
    .refine((config) => config.must_exist.length + config.must_not_exist.length + config.content_patterns.length > 0, {
      error: "Nothing to check: name must_exist, must_not_exist or content_patterns",
    }),
  scoring: "mean",

  grade({ must_exist, must_not_exist, content_patterns }, transcript) {
    const workspace = leftIn(transcript);
    if (!isWorkspace(workspace)) return [workspace];
    return [
      ...must_exist.map((path) => existsCheck(workspace, path)),
      ...must_not_exist.map((path) => absentCheck(workspace, path)),
      ...content_patterns.flatMap((wanted) => contentChecks(workspace, wanted)),
    ];
  },
});

/** A file that cannot be read fails all that is asked of it. */
function contentChecks(
  workspace: WorkspaceFiles,
  { path, must_match, must_not_match }: z.output<typeof block>,
): Check[] {
  const read = textAt(workspace, path);
  if ("passed" in read) return [read];
  if (read.status === "none") return [path, ...must_match, ...must_not_match].map(() => checked(false, read.why));
  const found = (wanted: string) => find(wanted, read.text);
  return [
    checked(true, `${path} exists`),
    ...must_match.map((wanted) => {
      const hit = found(wanted);
      return checked(
        hit !== undefined,
        hit === undefined ? `nothing in ${path} matches /${wanted}/` : `${path} matches /${wanted}/`,
        hit,
      );
    }),
    ...must_not_match.map((wanted) => {
      const hit = found(wanted);
      return checked(
        hit === undefined,
        hit === undefined ? `nothing in ${path} matches /${wanted}/` : `${path} matches /${wanted}/, but must not`,
        hit,
      );
    }),
  ];
}
