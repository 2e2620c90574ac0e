import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dialects } from "./dialects.ts";
import { type Bench, judge, type Verdict } from "./harness.ts";
import { install } from "./install.ts";
import { writeLibrary } from "./library.ts";
import { cases } from "./scenarios.ts";

const words = process.argv.slice(2);
const only = words.filter((word) => !word.startsWith("--"));
const ids = words.includes("--all") ? dialects.map(({ id }) => id) : only.length > 0 ? only : ["claude", "codex", "copilot"];
const grep = words.find((word) => word.startsWith("--grep="))?.slice(7);

const root = mkdtempSync(join(tmpdir(), "proctor-agents-"));
const library = writeLibrary(root);
let wrong = 0;
try {
  for (const dialect of dialects.filter(({ id }) => ids.includes(id))) {
    const bench: Bench = {
      library,
      cacheDir: join(process.env["PROCTOR_AGENTS_CACHE"] ?? join(process.env["HOME"]!, ".cache", "proctor-agents"), "run"),
      ...install(dialect.id),
    };
    for (const one of cases.filter(({ name }) => grep === undefined || name.includes(grep))) {
      const why = one.not?.(dialect);
      if (why !== undefined) {
        console.log(`–  ${dialect.id}  ${one.name}: not run: ${why}`);
        continue;
      }
      const verdict: Verdict = await judge(dialect, one, bench);
      if (!verdict.right) wrong++;
      console.log(
        `${verdict.right ? "✓" : "✗"}  ${dialect.id}  ${one.name}: ${verdict.said}${verdict.right ? "" : `   WANTED ${verdict.wanted}`}  ${Math.round(verdict.ms)} ms`,
      );
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;
