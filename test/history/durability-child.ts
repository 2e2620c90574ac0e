import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/base/options/index.ts";
import { askExam, planExams } from "../../src/exam/index.ts";
import type { Exam } from "../../src/exam/plan/index.ts";
import { listRuns, openRecord } from "../../src/exam/record/index.ts";

/** Sits the exam in the given folder, or goes on with its newest run, and notes every ask and every trial that counted. */
const [dir = ".", mode = "start"] = process.argv.slice(2);
const config = await loadConfig({ cwd: dir, env: {} });
const flags = { targets: ["script:answers.yaml"], jobs: 4, cache: false };
const [exam] = await planExams({ cwd: dir, config, env: {}, flags });
const resume = mode === "resume" && (await listRuns(dir)).length > 0 ? { resume: await openRecord(dir) } : {};
await askExam(listening(exam!), {
  ...resume,
  on(event) {
    if (event.type === "record") process.stdout.write("begun\n");
    if (event.type === "trial") note("counted.log", `${event.line.ask} ${event.line.run}`);
  },
});

function listening(exam: Exam): Exam {
  const targets = exam.targets.map(({ target, identity }) => ({
    identity,
    target: {
      ...target,
      async open(library: Exam["library"]) {
        const sitting = await target.open(library);
        return {
          ...sitting,
          ask(...[ask, asking]: Parameters<typeof sitting.ask>) {
            note("asked.log", `${ask.key} ${asking.run}`);
            return sitting.ask(ask, asking);
          },
        };
      },
    },
  }));
  return { ...exam, targets };
}

function note(file: string, line: string): void {
  appendFileSync(join(dir, file), `${line}\n`);
}
