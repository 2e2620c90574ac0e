import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { surveyAgents } from "../../../src/targets/agents/index.ts";
import { alone } from "../alone.ts";
import { dialects } from "../dialects.ts";
import type { Bench } from "../harness.ts";
import { cacheFolder, install, pinnedVersion } from "../install.ts";
import { examine, type Verdict } from "./examine.ts";
import { writeTruthLibrary } from "./library.ts";
import { type TruthScenario, truthScenarios } from "./scenarios.ts";

// npm run test:truth -- [claude codex] [--sample=N] [--grep=PATTERN] [--jobs=N] [--json]
const words = process.argv.slice(2);
const value = (name: string) =>
  words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? after(`--${name}`);
const asJson = words.includes("--json");
const named = words.filter((word) => dialects.some(({ id }) => id === word));
const chosen = dialects.filter(({ id }) => (named.length === 0 ? ["claude", "codex"] : named).includes(id));
const sample = Number(value("sample") ?? Number.POSITIVE_INFINITY);
const jobs = Number(value("jobs") ?? 3);
const grep = new RegExp(value("grep") ?? "");
const say = (line: string) => (asJson ? console.error(line) : console.log(line));

for (const { id } of chosen) install(id);
process.exitCode = alone(asJson) ?? (await examineAll());

function after(flag: string): string | undefined {
  const at = words.indexOf(flag);
  return at < 0 ? undefined : words[at + 1];
}

interface Told {
  version: string;
  scenarios: number;
  /** Of these, the server's requests showed what is true; the others were stopped before a further request. */
  confirmed: number;
  secondTry: number;
  wrong: { name: string; said: string; wanted: string }[];
  groups: Record<string, number>;
}

async function examineAll(): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), "proctor-truth-"));
  const results: Record<string, Told> = {};
  try {
    const library = await writeTruthLibrary(root);
    for (const d of chosen) {
      const installed = install(d.id);
      const { sandbox } = await surveyAgents({ PATH: [...installed.path, process.env["PATH"]].join(":") });
      const bench: Bench = {
        library,
        cacheDir: join(cacheFolder(), "run"),
        ...installed,
        unboxed: sandbox === undefined,
      };
      const scenarios = sampled(truthScenarios(d).filter(({ name }) => grep.test(name)));
      const told: Told = {
        version: pinnedVersion(d.id),
        scenarios: scenarios.length,
        confirmed: 0,
        secondTry: 0,
        wrong: [],
        groups: {},
      };
      results[d.id] = told;
      await inParallel(scenarios, async (one, index) => {
        const attempt = (run: string) =>
          examine(d, one, bench, run).catch(
            (error: unknown): Verdict => ({
              right: false,
              said: String(error),
              wanted: "no exception",
              confirmed: false,
            }),
          );
        let verdict = await attempt(String(index));
        // These are real processes on a machine that others use too.
        if (!verdict.right) {
          say(`?  ${d.id}  ${one.name}: ${verdict.said}`);
          verdict = await attempt(`${index}-again`);
          if (verdict.right) told.secondTry++;
        }
        told.groups[one.group] = (told.groups[one.group] ?? 0) + 1;
        if (verdict.confirmed) told.confirmed++;
        if (!verdict.right) told.wrong.push({ name: one.name, said: verdict.said, wanted: verdict.wanted });
        say(
          `${verdict.right ? "✓" : "✗"}  ${d.id}  ${one.name.replaceAll("\n", "⏎")}: ${verdict.said}${verdict.right ? "" : `   WANTED ${verdict.wanted}`}`,
        );
      });
      say(
        `${d.id} ${told.version}: ${told.scenarios} scenarios, ${told.wrong.length} wrong; ${told.confirmed} confirmed from the model server's requests, ${told.secondTry} at the second try`,
      );
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  if (asJson) console.log(JSON.stringify(results, null, 1));
  return Object.values(results).some(({ wrong, scenarios }) => wrong.length > 0 || scenarios === 0) ? 1 : 0;
}

/** Evenly over the whole table, so that every group is in it. */
function sampled(all: TruthScenario[]): TruthScenario[] {
  return all.length <= sample
    ? all
    : Array.from({ length: sample }, (_, index) => all[Math.floor((index * all.length) / sample)]!);
}

async function inParallel<T>(all: T[], work: (one: T, index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < all.length) {
      const index = next++;
      await work(all[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
}
