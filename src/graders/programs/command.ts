import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { isWithin, kindAt } from "../../base/index.ts";
import { checked, notMade, skipped } from "../checks.ts";
import { insidePath } from "../files/inside-path.ts";
import { defineGrader } from "../grader.ts";
import { isCheck, lastLines, programsOf } from "./programs.ts";

const names = z
  .union([z.string().min(1), z.array(z.string().min(1))])
  .transform((names) => (typeof names === "string" ? [names] : names));

/**
 * A shell line (`run`), or a program with arguments that gets the reply on stdin (`program`). Both run in the trial's
 * workspace and are skipped if a program they require is missing.
 */
export const command = defineGrader({
  type: "command",
  config: z
    .strictObject({
      run: z.string().min(1).optional(),
      program: z.string().min(1).optional(),
      args: z.array(z.coerce.string()).default([]),
      stdin: z.string().optional(),
      env: z.record(z.string(), z.coerce.string()).default({}),
      cwd: insidePath.optional(),
      requires: names.default([]),
      expect_exit: z.int().min(0).max(255).default(0),
      /** evolve gives a command as much time as the examinee: ten minutes by default. */
      timeout: z.number().positive().max(3600).default(600),
      text: z.string().optional(),
    })
    .refine(({ run, program }) => (run === undefined) !== (program === undefined), {
      error: "Name either run, a line for the shell, or program",
    }),
  startsPrograms: true,

  async grade({ run, program = "", args, stdin, requires, expect_exit, timeout, text, ...rest }, transcript, context) {
    const programs = programsOf(context);
    if (isCheck(programs)) return [programs];
    const missing = requires.filter((name) => !programs.has(name));
    if (missing.length > 0)
      return [skipped(`not run: it requires ${missing.join(", ")}, which this machine does not have`)];
    const { suiteDir } = context;
    const started =
      run === undefined
        ? {
            file: besideSuite(program, suiteDir),
            args: args.map((word) => besideSuite(word, suiteDir)),
            stdin: stdin ?? transcript.finalText,
          }
        : { file: "/bin/sh", args: ["-c", run], stdin };
    const reads = suiteDir === undefined ? [] : [suiteDir];
    const ended = await programs.run({ ...started, ...rest, timeoutMs: timeout * 1000, reads });
    const shown = text ?? (run === undefined ? program : `\`${run.length <= 120 ? run : `${run.slice(0, 120)}…`}\``);
    if (ended.status === "failed") return [notMade(`${shown} could not decide: ${ended.why}`)];
    const passed = ended.code === expect_exit;
    const wanted = passed ? "" : `, not ${expect_exit}`;
    return [checked(passed, `${shown} exited with ${ended.code}${wanted}`, lastLines(ended.stdout, ended.stderr))];
  },
});

/** Makes the path of a file beside the suite absolute, because the program runs in the workspace. */
function besideSuite(word: string, suiteDir: string | undefined): string {
  if (suiteDir === undefined || word === "" || isAbsolute(word)) return word;
  const path = resolve(suiteDir, word);
  return isWithin(suiteDir, path) && kindAt(path, suiteDir) === "file" ? path : word;
}
