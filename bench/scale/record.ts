import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const RUNS = 10;
const SKILLS = 50;

/** A record of so many trials, made by a run of a scripted target: ten runs of each question, as many questions as it takes. */
export function writeRecord(dir: string, trials: number): void {
  const names = Array.from({ length: SKILLS }, (_, at) => `skill-${at + 1}`);
  for (const [at, name] of names.entries()) {
    const folder = join(dir, "skills", name);
    mkdirSync(join(folder, "evals"), { recursive: true });
    writeFileSync(
      join(folder, "SKILL.md"),
      `---\nname: ${name}\ndescription: Does the work of ${name}.\n---\nDo it.\n`,
    );
    const own = Array.from({ length: Math.ceil((trials / RUNS - at) / SKILLS) }, (_, row) => ({
      query: `Question ${row * SKILLS + at + 1} about ${name}, asked to see what happens`,
      should_trigger: row % 2 === 0,
    }));
    writeFileSync(join(folder, "evals", "triggers.json"), JSON.stringify(own));
  }
  mkdirSync(join(dir, ".git"), { recursive: true });
  writeFileSync(join(dir, "answers.yaml"), JSON.stringify({ default: { skills: [names[0]], hit_rate: 0.5 } }));
  const flags = [
    "run",
    "-t",
    "script:answers.yaml",
    "--runs",
    String(RUNS),
    "--no-early-stop",
    "--no-cache",
    "--jobs",
    "16",
  ];
  try {
    execFileSync(process.execPath, [main, ...flags], {
      cwd: dir,
      env: { PATH: process.env["PATH"], HOME: dir },
      stdio: "ignore",
    });
  } catch {
    // Half of the questions fail, as they should.
  }
}
