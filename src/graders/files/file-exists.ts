import { z } from "zod";
import { defineGrader } from "../grader.ts";
import { insidePath } from "./inside-path.ts";
import { existsCheck, isWorkspace, leftIn } from "./left.ts";

/** The examinee left this file, or this folder, in its workspace. */
export const fileExists = defineGrader({
  type: "file_exists",
  config: z.strictObject({ path: insidePath, text: z.string().optional() }),

  grade({ path }, transcript) {
    const workspace = leftIn(transcript);
    return [isWorkspace(workspace) ? existsCheck(workspace, path) : workspace];
  },
});
