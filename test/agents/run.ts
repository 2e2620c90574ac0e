import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { alone } from "./alone.ts";
import { dialects } from "./dialects.ts";
import { benchOf, examine, examinee } from "./examine.ts";
import { cacheFolder, install, pinnedVersion } from "./install.ts";
import { writeLibrary } from "./library.ts";
import { record } from "./recordings.ts";
import { type Results, writeTable } from "./table.ts";
import { readWords } from "./words.ts";

// npm run test:agents -- [claude codex@0.163.0 …] [--all] [--grep=PATTERN] [--table] [--record]
const { named, all, grep, record: recording, table } = readWords(process.argv.slice(2));
const chosen = (
  all ? dialects.map(({ id }) => id) : named.length > 0 || table ? named : ["claude", "codex", "copilot"]
).map(examinee);

for (const { dialect, version } of chosen) install(dialect.id, version);
process.exitCode = alone() ?? ((await examineAll()) === 0 ? 0 : 1);

async function examineAll(): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), "proctor-agents-"));
  let wrong = 0;
  let again = 0;
  try {
    const library = await writeLibrary(root);
    for (const one of chosen) {
      const { dialect, version } = one;
      const bench = await benchOf(one, library);
      if (recording) bench.record = (...scenario) => record(dialect.id, ...scenario);
      console.log(`${dialect.id} ${version}`);
      const rows = await examine(dialect, bench, { chosen: (name) => grep === undefined || grep.test(name) });
      wrong += Object.values(rows).filter((row) => "right" in row && !row.right).length;
      again += Object.values(rows).filter((row) => "right" in row && row.right && row.again).length;
      // The table tells of the pinned versions alone.
      if (version === pinnedVersion(dialect.id)) keep("results.json", dialect.id, version, rows);
      else keep("results-of-others.json", `${dialect.id}@${version}`, version, rows);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  if (table) writeTable(kept("results.json"));
  const chances = again === 0 ? "" : ` (${again} at the second try)`;
  console.log(wrong === 0 ? `everything was told right${chances}` : `${wrong} were told wrong${chances}`);
  return wrong;
}

function keep(file: string, name: string, version: string, rows: Results[string]["rows"]): void {
  const results = kept(file);
  const earlier = results[name]?.version === version ? results[name].rows : {};
  results[name] = { version, rows: { ...earlier, ...rows } };
  writeFileSync(join(cacheFolder(), file), JSON.stringify(results, null, 1));
}

function kept(file: string): Results {
  try {
    return JSON.parse(readFileSync(join(cacheFolder(), file), "utf8")) as Results;
  } catch {
    return {};
  }
}
