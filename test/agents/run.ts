import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { surveyAgents } from "../../src/targets/agents/index.ts";
import { alone } from "./alone.ts";
import { checks } from "./checks.ts";
import { type Dialect, dialects } from "./dialects.ts";
import { type Bench, judge, type Verdict } from "./harness.ts";
import { cacheFolder, install, pinnedVersion } from "./install.ts";
import { writeLibrary } from "./library.ts";
import { record } from "./recordings.ts";
import { cases } from "./scenarios.ts";
import { type Results, writeTable } from "./table.ts";
import { readWords } from "./words.ts";

// npm run test:agents -- [claude codex@0.163.0 …] [--all] [--grep=PATTERN] [--table] [--record]
const { named, all, grep, record: recording, table } = readWords(process.argv.slice(2));
const chosen = (all ? dialects.map(({ id }) => id) : named.length > 0 || table ? named : ["claude", "codex", "copilot"]).map(examinee);

for (const { dialect, version } of chosen) install(dialect.id, version);
process.exitCode = alone() ?? ((await examineAll()) === 0 ? 0 : 1);

interface Examinee {
  dialect: Dialect;
  version: string;
}

function examinee(word: string): Examinee {
  const [id = "", version] = word.split("@");
  const dialect = dialects.find((one) => one.id === id);
  if (dialect === undefined) throw new Error(`There is no ${id}. There are ${dialects.map((one) => one.id).join(", ")}.`);
  return { dialect, version: version ?? pinnedVersion(id) };
}

async function examineAll(): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), "proctor-agents-"));
  let wrong = 0;
  let again = 0;
  try {
    const library = await writeLibrary(root);
    for (const { dialect, version } of chosen) {
      const installed = install(dialect.id, version);
      const { sandbox } = await surveyAgents({ PATH: [...installed.path, process.env["PATH"]].join(":") });
      const bench: Bench = {
        library,
        cacheDir: join(cacheFolder(), "run"),
        ...installed,
        unboxed: sandbox === undefined,
        ...(recording && { record: (...scenario) => record(dialect.id, ...scenario) }),
      };
      console.log(`${dialect.id} ${version}`);
      const rows = await examine(dialect, bench);
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

/** These are real processes with time limits on a machine that others use too: what fails gets one second try, at the end. */
async function examine(dialect: Dialect, bench: Bench): Promise<Results[string]["rows"]> {
  const rows: Results[string]["rows"] = {};
  const all = [
    ...cases.map((one) => ({ ...one, run: () => judge(dialect, one, bench) })),
    ...checks.map((one) => ({ ...one, run: () => one.run(dialect, bench) })),
  ].filter(({ name }) => grep === undefined || grep.test(name));
  const failed: typeof all = [];
  for (const one of all) {
    const why = one.not?.(dialect, bench);
    if (why === undefined) {
      const row = await once(one);
      rows[one.name] = row;
      if (!row.right) failed.push(one);
    } else {
      rows[one.name] = { why };
      console.log(`–  ${dialect.id}  ${one.name}: not run: ${why}`);
    }
  }
  for (const one of failed) rows[one.name] = { ...(await once(one, "second try: ")), again: true };
  return rows;

  async function once(one: (typeof all)[number], note = ""): Promise<{ right: boolean; said: string }> {
    const started = performance.now();
    const { right, said, wanted } = await one
      .run()
      .catch((error: unknown): Omit<Verdict, "ms"> => ({ right: false, said: `thrown: ${String(error)}`, wanted: "no exception" }));
    const told = `${note}${said}${right ? "" : `   WANTED ${wanted}`}  ${Math.round(performance.now() - started)} ms`;
    console.log(`${right ? "✓" : "✗"}  ${dialect.id}  ${one.name}: ${told}`);
    return { right, said };
  }
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
