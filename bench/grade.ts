/**
 * How long `proctor grade` takes over stored transcripts: cases with deterministic graders of every sort, 10,000 checks in all.
 * `--json` prints the figures for a program.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { grade, run } from "../src/verbs/index.ts";

const CASES = 1_250;
const graders = [
  { type: "contains", value: "letter" },
  { type: "regex", pattern: "^Dear .+$" },
  { type: "file_exists", path: "out/letter.txt" },
  { type: "regex", path: "out/letter.txt", pattern: "Ada" },
  { type: "not_regex", path: "out/letter.txt", pattern: "TODO" },
  { type: "tool_call", tool: "^Bash$", pattern: "letter" },
  { type: "file_absent", path: "tmp.txt" },
  { type: "matches", value: "\\bletter\\b", syntax: "python" },
];

const folder = mkdtempSync(join(tmpdir(), "proctor-bench-grade-"));
const write = (path: string, content: unknown) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
};

try {
  write("skills/letters/SKILL.md", "---\nname: letters\ndescription: Writes letters.\n---\nBody\n");
  const evals = Array.from({ length: CASES }, (_, index) => ({
    id: `c${index}`,
    prompt: `Write letter ${index}`,
    assertions: graders,
  }));
  write("skills/letters/evals/evals.json", { evals });
  const text = `Dear Ada\n${"The letter is in out/letter.txt. ".repeat(40)}`;
  const calls = Array.from({ length: 12 }, (_, index) => ({
    tool: "Bash",
    input: { command: `cat letter-${index}` },
    result: "x".repeat(500),
  }));
  write("answers.yaml", {
    deterministic: true,
    default: { text, calls, files: { "out/letter.txt": `Dear Ada\n${"word ".repeat(800)}` } },
  });
  await run({ cwd: folder, targets: ["script:answers.yaml"], cache: false });
  const start = performance.now();
  const { regraded } = await grade({ cwd: folder });
  const seconds = (performance.now() - start) / 1000;
  const checks = regraded.trials * graders.length;
  const figures = { checks, trials: regraded.trials, seconds: Math.round(seconds * 100) / 100, limitSeconds: 5 };
  console.log(
    process.argv.includes("--json")
      ? JSON.stringify(figures)
      : `${checks} checks of ${regraded.trials} stored trials in ${figures.seconds} s (at most ${figures.limitSeconds})`,
  );
  process.exitCode = seconds <= figures.limitSeconds && checks >= 10_000 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
