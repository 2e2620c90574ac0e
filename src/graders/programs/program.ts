import { z } from "zod";
import { checked, notMade } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { isCheck, lastLines, programsOf } from "./no-programs.ts";
import { besideSuite } from "./suite-files.ts";

/** waza's `program`: it gets the reply on stdin and works in the examinee's workspace; it passes when it exits with 0. */
export const program = defineGrader({
  type: "program",
  config: z.strictObject({
    command: z.string().min(1),
    args: z.array(z.coerce.string()).default([]),
    timeout: z.number().positive().max(3600).default(30),
    env: z.record(z.string(), z.coerce.string()).default({}),
    stdin: z.string().optional(),
  }),
  startsPrograms: true,

  async grade({ command, args, timeout, env, stdin }, { finalText }, context) {
    const programs = programsOf(context);
    if (isCheck(programs)) return [programs];
    const { suiteDir } = context;
    const ended = await programs.run({
      file: besideSuite(command, suiteDir),
      args: args.map((word) => besideSuite(word, suiteDir)),
      stdin: stdin ?? finalText,
      env,
      timeoutMs: timeout * 1000,
      reads: suiteDir === undefined ? [] : [suiteDir],
    });
    if (ended.status === "failed") return [notMade(`${command} could not decide: ${ended.why}`)];
    return [checked(ended.code === 0, `${command} exited with ${ended.code}`, lastLines(ended.stdout, ended.stderr))];
  },
});
