import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  allOptions,
  examFingerprint,
  flagValue,
  flagWords,
  getAt,
  loadConfig,
  type Option,
  type RunSettings,
  recordOptions,
  resolveExamOptions,
  runOptions,
  variableOf,
} from "../../src/base/options/index.ts";
import type { UsageError } from "../../src/base/problems/usage-error.ts";
import { addOptions, settingsFrom } from "../../src/cli/flags/options.ts";
import type { HeaderLine } from "../../src/model/index.ts";
import { renderReport } from "../../src/reporters/index.ts";
import { run } from "../../src/verbs/index.ts";
import { readSat, type Sat, World } from "../world.ts";

/** Every option is taken through all the ways it can be set, and through a real run: a new one is in here by being in the table. */
const settable = runOptions.filter(({ flag }) => flag !== undefined);
const names = (options: readonly Option[]) => options.map((option) => [option.name, option] as const);

/** Values of an option that differ from each other and, the first ones, from its default. Names must be of something in the world below. */
function values({ name, kind, default: usual }: Option): unknown[] {
  const named: Partial<Record<string, unknown[]>> = {
    targets: [["script:answers.yaml"], ["script:others.yaml"], ["embedded"]],
    skills: [["alpha"], ["beta"], ["alpha", "beta"]],
    cases: [["one"], ["two"], ["one", "two"]],
    tags: [["red"], ["blue"], ["red", "blue"]],
    grep: [["alpha"], ["beta"], ["Load", "alpha"]],
    baseline: ["without", "skills", "skills/alpha"],
    gates: [["recall>=0.1"], ["recall>=0.2"], ["precision>=0.1"]],
    shard: [
      { index: 1, count: 2 },
      { index: 2, count: 2 },
      { index: 1, count: 1 },
    ],
  };
  if (named[name] !== undefined) return named[name];
  switch (kind.type) {
    case "boolean":
      return [usual !== true, usual === true];
    case "choice":
      return [...kind.of.filter((one) => one !== usual).toReversed(), ...kind.of.filter((one) => one === usual)];
    case "number":
      return kind.whole ? [4, 5, 6] : [0.25, 0.75, 0.875];
    case "text":
      return ["first", "second", "third"];
    case "texts":
    case "folders":
      return [["/one"], ["/two"], ["/three"]];
    case "shard":
    case "members":
      throw new Error(`${name} needs values of its own in this test`);
  }
}

const recordedValue = (option: Option, value: unknown) =>
  typeof value === "number" ? value * (option.times ?? 1) : value;
const textOf = (value: unknown) => {
  const { index, count } = value as { index?: number; count?: number };
  return Array.isArray(value) ? value.join(",") : index === undefined ? String(value) : `${index}/${count}`;
};
/** What else must be set for an option to mean anything. */
const needed = ({ onlyWith }: Option): RunSettings => (onlyWith === "confidence" ? { confidence: 0.6 } : {});

function parse(words: string[]): RunSettings {
  const command = addOptions(new Command(), "run").exitOverride();
  return settingsFrom(command.parse(words, { from: "user" }).opts());
}

describe("every option of a run", () => {
  test.each(names(settable))("%s can be set by its flag", (name, option) => {
    const set = flagValue(option);
    for (const value of set === undefined ? values(option) : [set]) {
      const words = flagWords({ ...needed(option), [name]: value });
      expect(words.length).toBeGreaterThan(0);
      expect(parse(words)).toEqual({ ...needed(option), [name]: value });
    }
    expect(parse([])).toEqual({});
  });

  test("options that only start a run reach it by their flags too", () => {
    const words = "--changed --base main --lock --resume --workers redis://here --workers-wait 5".split(" ");
    const found = parse(words);
    expect(found).toEqual({
      changed: true,
      base: "main",
      lock: "check",
      resume: true,
      workers: "redis://here",
      workersWait: 5,
    });
    expect(Object.keys(found)).toEqual(allOptions.filter(({ role }) => role === "start").map(({ name }) => name));
  });

  test.each(names(settable.filter(({ recorded }) => recorded !== undefined)))(
    "%s: a flag beats a variable, which beats the configuration, which beats the default",
    async (name, option) => {
      const folder = mkdtempSync(join(tmpdir(), "proctor-options-"));
      const [first, second] = values(option);
      const others = option.default === undefined ? [] : [option.default];
      const resolved = async (given: RunSettings, env: Record<string, string>) =>
        getAt(
          resolveExamOptions({ ...needed(option), ...given }, await loadConfig({ cwd: folder, env })),
          option.recorded!,
        );
      const isList = option.adds === true;
      try {
        expect(await resolved({}, {})).toEqual(others.map((value) => recordedValue(option, value))[0]);
        if (option.config !== undefined) {
          const [key, member] = option.config.split(".");
          const content = { [key!]: member === undefined ? second : { [member]: second } };
          writeFileSync(join(folder, "proctor.config.json"), JSON.stringify(content));
          expect(await resolved({}, {})).toEqual(recordedValue(option, second));
        }
        const variable = variableOf(option);
        // `--runs` beats a suite's own number, PROCTOR_RUNS does not: that is the configuration's `runs`.
        expect(variable === undefined).toBe(name === "runs");
        if (variable !== undefined)
          expect(await resolved({}, { [variable]: textOf(first) })).toEqual(recordedValue(option, first));
        const given = await resolved({ [name]: second }, variable === undefined ? {} : { [variable]: textOf(first) });
        expect(given).toEqual(recordedValue(option, isList ? [first, second].flat() : second));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  test.each(names(allOptions.filter((option) => option.config !== undefined && !runOptions.includes(option))))(
    "%s, of commands alone, can be set in the configuration and by a variable",
    async (_name, option) => {
      const folder = mkdtempSync(join(tmpdir(), "proctor-options-"));
      const [first, second] = values(option);
      try {
        writeFileSync(join(folder, "proctor.config.json"), JSON.stringify({ [option.config!]: first }));
        const read = async (env: Record<string, string>) =>
          getAt((await loadConfig({ cwd: folder, env })).config, option.config!);
        expect(await read({})).toEqual(first);
        expect(await read({ [variableOf(option)!]: textOf(second) })).toEqual(second);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  test.each(names(settable.filter(({ recorded, name }) => recorded !== undefined && name !== "shard")))(
    "%s is in the fingerprint that the shards of a run share if it makes a run what it is, and otherwise not",
    (name, option) => {
      const [first, second] = values(option).map((value) => {
        const options = resolveExamOptions({ ...needed(option), [name]: value }, { config: {} });
        return examFingerprint(recordOptions(options, "/library"));
      });
      expect(first === second).toBe(option.role !== "exam");
    },
  );

  test("no two options share a flag, a variable or a place in the record", () => {
    const facts = [
      settable.map(({ flag }) => flag),
      runOptions.map(({ recorded }) => recorded),
      allOptions.filter(({ alone }) => alone !== true).map(variableOf),
    ];
    for (const all of facts.map((some) => some.filter((fact) => fact !== undefined)))
      expect(new Set(all).size).toBe(all.length);
  });
});

describe("in a run", () => {
  let world: World;
  beforeEach(() => {
    world = new World();
    for (const name of ["alpha", "beta"]) {
      world.skill(name, [
        { query: `Load ${name}`, should_trigger: true, tags: ["red"] },
        { query: `Leave ${name}`, should_trigger: false, tags: ["blue"] },
      ]);
    }
    const cases = ["one", "two"].map((id) => ({
      id,
      prompt: `Case ${id}`,
      expectations: [{ type: "contains", value: "x" }],
    }));
    world.write("skills/alpha/evals/evals.json", { skill_name: "alpha", evals: cases });
    // Answers for alpha and beta alike, so that something fails and --failed has something to ask.
    for (const name of ["answers.yaml", "others.yaml"]) world.script({ default: { skills: ["alpha"] } }, name);
  });
  afterEach(() => world.remove());

  const start = async (settings: RunSettings): Promise<Sat> => {
    const targets = ["script:answers.yaml"];
    const scope = { cwd: world.dir, env: {}, config: {}, targets };
    if (settings.failed) await run(scope);
    const [result] = await run({ ...scope, ...settings });
    return readSat(result!.record);
  };
  const resumeWith = (settings: RunSettings) => run({ cwd: world.dir, env: {}, config: {}, resume: true, ...settings });

  test.each(names(settable))(
    "%s is recorded, repeated, and kept when the run is resumed, as the table says",
    async (name, option) => {
      const [first, second] = values(option);
      const settings = { ...needed(option), [name]: first };
      const { header, scores } = await start(settings);
      expect(readFrom(header, option)).toEqual(recordedValue(option, first));
      expect(scores.run.said).toEqual(flagWords(option.repeated ? settings : needed(option)));
      await resumeWith({});
      const refusal = await resumeWith({ [name]: second }).then(
        () => undefined,
        (error: UsageError) => error,
      );
      expect(refusal === undefined).toBe(option.role === "conduct");
      if (refusal === undefined) return;
      expect(refusal.message).toContain(`Run ${header.run} cannot be resumed`);
      expect(refusal.hint).toContain(option.role === "reading" ? `proctor report ${header.run}` : "Start a new run");
      const long = option.flagSets === undefined ? /--[a-z-]+/.exec(option.flag!)![0] : name;
      const difference =
        name === "targets" ? "it asked script:answers.yaml, not script:others.yaml" : new RegExp(`${long} \\S.* → \\S`);
      expect(refusal.message).toMatch(difference);
    },
  );

  function readFrom(header: HeaderLine, option: Option): unknown {
    if (option.name === "targets") return header.targets.map(({ id }) => id);
    if (option.name === "shard") return header.shard;
    const written = getAt(header.options, option.recorded!);
    return option.kind.type === "folders" ? (written as string[]).map((folder) => join(world.dir, folder)) : written;
  }
});

test("the command that a report proposes repeats the options that were given", async () => {
  const world = new World();
  world.skill("alpha", [{ query: "Load alpha", should_trigger: true }]);
  world.script({ default: { skills: [] } });
  const { scores } = await world.sit({ grep: ["alpha"], timeoutSeconds: 30, jobs: 2 });
  world.remove();
  expect(renderReport("terminal", scores, { width: 200 })).toContain(
    "proctor run -t script:answers.yaml --grep alpha --timeout 30 --failed",
  );
});

describe("a record of the version before", () => {
  let world: World;
  beforeAll(() => {
    world = new World();
    world.skill("alpha", [{ query: "Load alpha", should_trigger: true }]);
    world.script({ default: { skills: ["alpha"] } });
  });
  afterAll(() => world.remove());

  /** What 0.1.0 wrote: no `keepGoing` unless it was set, and options that are gone. */
  const OLD = {
    threshold: 0.75,
    negativeThreshold: 0.5,
    evidence: "loaded",
    earlyStop: true,
    gates: [],
    minCoverage: 0.5,
    allowPredicted: true,
    filters: { skills: ["alpha"] },
    runs: { flag: 2, triggers: 3, cases: 1 },
    jobs: 4,
    limits: { usd: 5 },
    cache: true,
    refresh: false,
    cross: false,
    timeoutMs: 60_000,
    retries: 1,
    escalate: false,
    calibrate: false,
    judge: "claude-haiku-4-5",
    said: ["--skill", "alpha"],
  };

  test("is scored with what it says, resumed as it was, and refused with what differs", async () => {
    const { place, lines } = await world.sit({ skills: ["alpha"], runs: 2 });
    const [header, ...rest] = lines;
    const old = { ...header, version: 1, options: OLD, optionsFingerprint: "of another formula" };
    writeFileSync(
      place.file,
      [old, ...rest.filter(({ type }) => type !== "footer")].map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    const { scores } = await readSat(place);
    expect(scores.options).toMatchObject({
      threshold: 0.75,
      evidence: "loaded",
      minCoverage: 0.5,
      allowPredicted: true,
      confidence: null,
    });
    const scope = { cwd: world.dir, env: {}, config: {}, resume: true as const };
    await expect(run({ ...scope, timeoutSeconds: 30, judge: "gpt-5" })).rejects.toThrow(
      "cannot be resumed: --timeout 60 → 30; --judge claude-haiku-4-5 → gpt-5.",
    );
    const [resumed] = await run({ ...scope, jobs: 2 });
    expect(resumed!.footer.how).toBe("complete");
  });
});
