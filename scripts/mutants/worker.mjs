import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest } from "vitest/node";
import { applyMutant, findMutants, withCounters } from "./find.mjs";

/**
 * A Vitest that stays open, in a process of its own that may be ended: it is told which text a source file has for the next run, and
 * says whether a test minds. Nothing is written to the sources.
 */
const root = join(import.meta.dirname, "..", "..");
/** The likeliest to mind come first. */
class AsGiven {
  sort = (specifications) => specifications;
  shard = (specifications) => specifications;
}
/** What a source file has instead of what is on the disk. */
const texts = new Map();

const plugin = { name: "mutants", enforce: "pre", load: (id) => texts.get(id) };
const open = (options) =>
  createVitest(
    "test",
    {
      root,
      config: false,
      watch: false,
      include: ["test/**/*.test.ts"],
      exclude: ["test/**/*.long.test.ts"],
      reporters: [{}],
      maxWorkers: 1,
      fileParallelism: false,
      // A mutant that hangs is ended from outside; a busy machine must not look like one that was noticed.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      sequence: { sequencer: AsGiven },
      ...options,
    },
    { plugins: [plugin], configFile: false, clearScreen: false, logLevel: "silent" },
  );

let vitest;
process.on("message", async (message) => {
  try {
    process.send(message.type === "cover" ? await cover(message) : await tryOut(message));
  } catch (error) {
    process.send({ type: "failed", message: error.stack });
  }
});

/** Which test files come by which places, and how long each takes. Every file loads its modules itself, so those count for it. */
async function cover({ files, tests, hitsFile }) {
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    texts.set(
      join(root, file),
      withCounters(text, findMutants(text)).replaceAll(
        "globalThis.__passedBy?.(",
        `globalThis.__passedBy?.(${JSON.stringify(file)},`,
      ),
    );
  }
  process.env.PROCTOR_MUTANT_HITS = hitsFile;
  const covering = await open({ setupFiles: [join(import.meta.dirname, "count.mjs")] });
  const { testModules } = await covering.runTestSpecifications(await covering.globTestSpecifications(tests));
  const failed = testModules.filter((module) => !module.ok()).map((module) => module.relativeModuleId);
  const times = Object.fromEntries(
    testModules.map((module) => [module.relativeModuleId, module.diagnostic().duration]),
  );
  await covering.close();
  texts.clear();
  return { type: "covered", failed, times };
}

async function tryOut({ file, mutant, tests }) {
  vitest ??= await open({ isolate: false, bail: 1 });
  const path = join(root, file);
  texts.set(path, applyMutant(readFileSync(path, "utf8"), mutant));
  vitest.invalidateFile(path);
  const specifications = await vitest.globTestSpecifications(tests);
  const wanted = specifications.filter(({ moduleId }) => tests.includes(moduleId.slice(root.length + 1)));
  wanted.sort(
    (a, b) => tests.indexOf(a.moduleId.slice(root.length + 1)) - tests.indexOf(b.moduleId.slice(root.length + 1)),
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted);
  const killer = testModules.find((module) => !module.ok());
  return {
    type: "tried",
    killedBy: killer?.relativeModuleId ?? (unhandledErrors.length > 0 ? "an unhandled error" : undefined),
  };
}

process.send({ type: "ready" });
