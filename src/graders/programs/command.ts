import { z } from "zod";
import { checked, notMade, skipped } from "../checks.ts";
import { insidePath } from "../files/inside-path.ts";
import { defineGrader } from "../grader.ts";
import { isCheck, lastLines, programsOf } from "./no-programs.ts";

const names = z
  .union([z.string().min(1), z.array(z.string().min(1))])
  .transform((names) => (typeof names === "string" ? [names] : names));

/** evolve's `command`: a line for the shell, in the examinee's workspace. It is skipped where a program that it `requires` is missing. */
export const command = defineGrader({
  type: "command",
  config: z.strictObject({
    run: z.string().min(1),
    cwd: insidePath.optional(),
    requires: names.optional(),
    expect_exit: z.int().min(0).max(255).default(0),
    /** evolve gives a command as long as the examinee, which is ten minutes where nothing else is said. */
    timeout: z.number().positive().max(3600).default(600),
    text: z.string().optional(),
  }),
  startsPrograms: true,

  async grade({ run, cwd, requires = [], expect_exit, timeout, text }, _transcript, context) {
    const programs = programsOf(context);
    if (isCheck(programs)) return [programs];
    const missing = requires.filter((name) => !programs.has(name));
    if (missing.length > 0)
      return [skipped(`not run: it requires ${missing.join(", ")}, which this machine does not have`)];
    const { suiteDir } = context;
    const reads = suiteDir === undefined ? [] : [suiteDir];
    const ended = await programs.run({ file: "/bin/sh", args: ["-c", run], cwd, timeoutMs: timeout * 1000, reads });
    const shown = text ?? `\`${run.length <= 120 ? run : `${run.slice(0, 120)}…`}\``;
    if (ended.status === "failed") return [notMade(`${shown} could not decide: ${ended.why}`)];
    const passed = ended.code === expect_exit;
    const wanted = passed ? "" : `, not ${expect_exit}`;
    return [checked(passed, `${shown} exited with ${ended.code}${wanted}`, lastLines(ended.stdout, ended.stderr))];
  },
});
