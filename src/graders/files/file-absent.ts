import { z } from "zod";
import { defineGrader } from "../grader.ts";
import { insidePath } from "./inside-path.ts";
import { absentCheck, isWorkspace, leftIn } from "./left.ts";

/** There is nothing under this name in the workspace. */
export const fileAbsent = defineGrader({
  type: "file_absent",
  config: z.strictObject({ path: insidePath, text: z.string().optional() }),

  grade({ path }, transcript) {
    const workspace = leftIn(transcript);
    return [isWorkspace(workspace) ? absentCheck(workspace, path) : workspace];
  },
});
