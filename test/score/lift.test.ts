import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/base/options/index.ts";
import type { RecordPlace } from "../../src/exam/record/index.ts";
import { clustersOf, rateDifference } from "../../src/exam/score/statistics/clusters.ts";
import { seeded } from "../../src/exam/score/statistics/distributions.ts";
import { pairedDifference } from "../../src/exam/score/statistics/paired-tests.ts";
import { regradeRecord } from "../../src/history/index.ts";
import type { QuestionLine, RecordLine, TrialLine } from "../../src/model/index.ts";
import { editRecord } from "../edit-record.ts";
import { replyOf, startRawModel } from "../targets/models/raw-model.ts";
import { isHere } from "../tools.ts";
import { readSat, World } from "../world.ts";
import { caseQuestion, claude, failedTrial, footer, header, score, trial } from "./build.ts";

/** Each on an ask of its own. */
const alone = (changes: readonly number[]) => changes.map((change) => ({ n: 1, change }));

describe("the interval of a difference", () => {
  // Bonett and Price (2012), British Journal of Mathematical and Statistical Psychology 65: adjusted Wald for paired proportions.
  // 95 % for f12 = 9, f21 = 5, n = 100: (10 − 6)/102 ± 1.96 √((16/102 − (4/102)²)/102).
  test("is the published one for pairs of yes and no", () => {
    const pairs = [...Array(9).fill(1), ...Array(5).fill(-1), ...Array(86).fill(0)];
    const interval = pairedDifference(alone(pairs))!;
    expect(interval.low).toBeCloseTo(-0.0373, 3);
    expect(interval.high).toBeCloseTo(0.1158, 3);
  });

  test("has no bounds without pairs, and never leaves what is possible", () => {
    expect(pairedDifference([])).toBeNull();
    const sure = pairedDifference(alone([1, 1, 1]))!;
    expect(sure.low).toBeLessThan(1);
    expect(sure.high).toBeLessThanOrEqual(1);
  });

  test.each([
    [0.9, 0.3, 10],
    [0.6, 0.5, 10],
    [0.95, 0.05, 8],
    [0.5, 0.5, 20],
    [0.3, 0.7, 12],
  ])(
    "one case: true rates %d with and %d without, %i runs: it holds the truth in at least 93 %% of 1,000 simulations",
    (own, without, runs) => {
      const random = seeded("one case");
      let held = 0;
      for (let simulation = 0; simulation < 1_000; simulation++) {
        const side = (rate: number) =>
          clustersOf(Array.from({ length: runs }, (_, run) => ({ ask: `${run}`, hits: Number(random() < rate) })));
        const { low, high } = rateDifference(side(own), side(without))!;
        if (low <= own - without && own - without <= high) held++;
      }
      expect(held).toBeGreaterThanOrEqual(930);
    },
  );

  test.each([
    [12, 1, 0.5],
    [12, 3, 0.3],
    [30, 3, 0.1],
  ])("over all: %i cases of different difficulty, %i runs each, mean lift %d", (cases, runs, lift) => {
    const random = seeded("all cases");
    let held = 0;
    for (let simulation = 0; simulation < 1_000; simulation++) {
      const differences = Array.from({ length: cases }, () => {
        const base = random() * (1 - lift);
        const rate = (p: number) =>
          Array.from({ length: runs }, () => Number(random() < p)).reduce((sum, one) => sum + one, 0) / runs;
        return rate(base + lift) - rate(base);
      });
      const { low, high } = pairedDifference(alone(differences))!;
      if (low <= lift && lift <= high) held++;
    }
    expect(held).toBeGreaterThanOrEqual(930);
  });
});

test("of two rates measured apart, the interval of their difference holds the truth at least 92 times in 100 in every cell", () => {
  const rates = [0, 0.05, 0.3, 0.5, 0.7, 0.95, 1];
  /** k of n hits, and how likely that is. */
  const outcomes = (n: number, p: number) => {
    let ways = 1;
    return Array.from({ length: n + 1 }, (_, k) => {
      const share = ways * p ** k * (1 - p) ** (n - k);
      ways = (ways * (n - k)) / (k + 1);
      return {
        share,
        clusters: clustersOf(Array.from({ length: n }, (__, at) => ({ ask: `${at}`, hits: Number(at < k) }))),
      };
    });
  };
  for (const n of [2, 3, 5, 10])
    for (const p of rates)
      for (const q of rates) {
        let held = 0;
        for (const one of outcomes(n, p))
          for (const other of outcomes(n, q)) {
            const { low, high } = rateDifference(one.clusters, other.clusters)!;
            if (low <= p - q + 1e-12 && p - q - 1e-12 <= high) held += one.share * other.share;
          }
        expect(held, `${n} runs, ${p} and ${q}`).toBeGreaterThanOrEqual(0.92);
      }
});

describe("the lift of cases", () => {
  const skill = "letters";
  const pair = (id: string, ask: string, runs: number) => {
    const own = caseQuestion(id, skill, { ask, runs: { [claude.id]: runs } });
    const without = caseQuestion(`${id}~baseline`, skill, {
      ask: `${ask} without`,
      runs: { [claude.id]: runs },
      baseline: { of: own.id, label: "without the skill" },
    });
    return { own, without };
  };
  const graded = (questions: QuestionLine[], run: number, passed: boolean): TrialLine =>
    trial(questions, run, [], {
      checks: questions.map(({ id }) => ({ question: id, passed, score: Number(passed), message: "" })),
    });
  const liftOf = (lines: RecordLine[], options = {}) => score([header(), ...lines, footer], options).targets[0]!.lift!;

  test("cases on one prompt share its trials: three on each of two are no more evidence than two", () => {
    const of = (onEach: number) => {
      const asks = ["one", "two"].map((ask) => Array.from({ length: onEach }, (_, at) => pair(`${ask}${at}`, ask, 1)));
      return liftOf([
        ...asks.flat().flatMap(({ own, without }) => [own, without]),
        ...asks.flatMap((pairs) => [
          graded(
            pairs.map(({ without }) => without),
            1,
            false,
          ),
          graded(
            pairs.map(({ own }) => own),
            1,
            true,
          ),
        ]),
      ]);
    };
    const [two, six] = [of(1), of(3)];
    expect(six).toMatchObject({ n: 6, prompts: 2, difference: 1 });
    expect(six.low).toBeCloseTo(two.low!, 12);
    expect(six.low!).toBeLessThan(0);
    expect(two).toMatchObject({ n: 2, prompts: 2 });
  });

  test("by simulation: over prompts with three cases each, it holds the truth in at least 93 %", () => {
    const random = seeded("shared prompts");
    let held = 0;
    for (let simulation = 0; simulation < 1_000; simulation++) {
      const changes = Array.from({ length: 8 }, () => Number(random() < 0.7) - Number(random() < 0.4));
      const { low, high } = pairedDifference(changes.map((change) => ({ n: 3, change: 3 * change })))!;
      if (low <= 0.3 && 0.3 <= high) held++;
    }
    expect(held).toBeGreaterThanOrEqual(930);
  });

  test("all measured runs count on each side, and the interval holds their difference", () => {
    const { own, without } = pair("one", "one", 20);
    const lift = liftOf([
      own,
      without,
      ...Array.from({ length: 20 }, (_, at) => graded([without], at + 1, at < 10)),
      ...Array.from({ length: 20 }, (_, at) => (at < 10 ? graded([own], at + 1, true) : failedTrial(own, at + 1))),
    ]);
    expect(lift.cases[0]).toMatchObject({
      with: { passed: 10, runs: 10 },
      without: { passed: 10, runs: 20 },
      difference: 0.5,
    });
    expect(lift).toMatchObject({ difference: 0.5, low: lift.cases[0]!.low, high: lift.cases[0]!.high });
    // MOVER of the mid-P intervals [.7411, 1] of 10/10 and [.2886, .7114] of 10/20 (scipy).
    expect(lift.low).toBeCloseTo(0.5 - Math.hypot(1 - 0.7411, 0.7114 - 0.5), 3);
    expect(lift.high).toBeCloseTo(0.5 + Math.hypot(0, 0.5 - 0.2886), 3);
  });

  test("a case with fewer than half of its runs measured on one side is not compared", () => {
    const { own, without } = pair("one", "one", 5);
    const lift = liftOf([
      own,
      without,
      ...Array.from({ length: 5 }, (_, at) => graded([without], at + 1, false)),
      ...Array.from({ length: 5 }, (_, at) => (at < 2 ? graded([own], at + 1, true) : failedTrial(own, at + 1))),
    ]);
    expect(lift).toMatchObject({ n: 0, difference: null, low: null, high: null });
    expect(lift.cases[0]).toMatchObject({ mark: "not compared", difference: null });
  });

  test("with --confidence, the runs that are never cut are compared, not those that were added until it was sure", () => {
    const { own, without } = pair("one", "one", 100);
    const lift = liftOf(
      [
        own,
        without,
        ...Array.from({ length: 8 }, (_, at) => graded([own], at + 1, true)),
        ...Array.from({ length: 60 }, (_, at) => graded([without], at + 1, at % 2 === 0)),
      ],
      { confidence: 0.95 },
    );
    expect(lift.cases[0]).toMatchObject({
      with: { passed: 8, runs: 8 },
      without: { passed: 4, runs: 8 },
      difference: 0.5,
    });
  });
});

describe("--baseline", () => {
  let world: World;
  beforeEach(() => {
    world = new World();
    world.skill("letters");
    world.write("skills/letters/evals/evals.json", {
      evals: ["helps", "both", "neither"].map((id) => ({
        id,
        name: `Case ${id}`,
        prompt: id,
        assertions: [{ type: "contains", value: "good" }],
      })),
    });
    world.script({
      answers: [
        { query: "helps", skills: ["letters"], text: "good", cost: 0.2, without_skill: { text: "bad", cost: 0.1 } },
        { query: "both", skills: ["letters"], text: "good", cost: 0.2, without_skill: { text: "good", cost: 0.1 } },
        { query: "neither", text: "bad", cost: 0.2, without_skill: { text: "bad", cost: 0.1 } },
      ],
    });
  });
  afterEach(() => world.remove());

  test("each case is also asked without its skill, as often, just before: the difference, its marks, and what it costs", async () => {
    const { scores, trials, questions } = await world.sit({ baseline: "without", runs: 3 });
    const [target] = scores.targets;
    expect(questions.map(({ id }) => id.split("#")[1])).toEqual([
      "helps~baseline",
      "helps",
      "both~baseline",
      "both",
      "neither~baseline",
      "neither",
    ]);
    expect(trials).toHaveLength(18);
    expect(target?.lift?.cases.map(({ name, mark, difference }) => [name, mark, difference])).toEqual([
      ["Case helps", "helps", 1],
      ["Case both", "passes both ways", 0],
      ["Case neither", "fails both ways", 0],
    ]);
    expect(target?.lift).toMatchObject({
      label: "without the skill",
      n: 3,
      difference: 1 / 3,
      with: { usd: expect.closeTo(0.2) },
      without: { usd: expect.closeTo(0.1) },
    });
    expect(target!.lift!.low!).toBeLessThan(1 / 3);
    expect(target!.lift!.high!).toBeGreaterThan(1 / 3);
  });

  test("what is only compared with is in no rate, no verdict and no count", async () => {
    const plain = await world.sit({ runs: 2, cache: false });
    const compared = await world.sit({ runs: 2, baseline: "without", cache: false });
    expect(compared.scores.targets[0]?.total).toEqual(plain.scores.targets[0]?.total);
    expect(compared.scores.targets[0]?.questions.map(({ id }) => id)).toEqual(
      plain.scores.targets[0]?.questions.map(({ id }) => id),
    );
    for (const part of ["macro", "skills", "confusion", "steals", "causes", "attempts"] as const)
      expect(compared.scores.targets[0]?.[part], part).toEqual(plain.scores.targets[0]?.[part]);
    expect(compared.scores.plan).toEqual(plain.scores.plan);
    expect(compared.exit).toBe(plain.exit);
  });

  test("that a skill was not loaded where it was not there is no failure of going without it", async () => {
    const graders = [
      { type: "contains", config: { value: "good" } },
      { type: "skill_invocation", config: { required_skills: ["letters"], mode: "any_order" } },
    ];
    const alone = [{ type: "skill_invocation", config: { required_skills: ["letters"], mode: "any_order" } }];
    world.write("skills/letters/evals/evals.json", {
      evals: [
        { id: "both", name: "Case both", prompt: "both", graders },
        { id: "helps", name: "Case helps", prompt: "helps", graders },
        { id: "loads", name: "Case loads", prompt: "both", graders: alone },
      ],
    });
    const { scores } = await world.sit({ baseline: "without", runs: 1, cache: false });
    expect(scores.targets[0]?.lift?.cases.map(({ name, mark }) => [name, mark])).toEqual([
      ["Case both", "passes both ways"],
      ["Case helps", "helps"],
    ]);
    expect(new Set(scores.targets[0]?.questions.map(({ verdict }) => verdict))).toEqual(new Set(["pass"]));
  });

  test("a skill that was not loaded, and not needed, harms nothing: both sides are compared by the same graders, and graded again alike", async () => {
    const graders = [
      { type: "contains", config: { value: "good" } },
      {
        type: "skill_invocation",
        config: { required_skills: ["letters"], forbidden_skills: ["other"], mode: "any_order" },
      },
    ];
    world.skill("other");
    world.write("skills/letters/evals/evals.json", {
      evals: [{ id: "idle", name: "Case idle", prompt: "idle", graders }],
    });
    world.script({ answers: [{ query: "idle", text: "good", without_skill: { text: "good" } }] });
    const { place, scores } = await world.sit({ baseline: "without", runs: 3 });
    const same = {
      mark: "passes both ways",
      with: { passed: 3, runs: 3 },
      without: { passed: 3, runs: 3 },
      difference: 0,
    };
    expect(scores.targets[0]?.lift?.cases).toMatchObject([same]);
    // Its verdict is by all of its graders.
    expect(scores.targets[0]?.questions[0]?.verdict).toBe("fail");
    // Answers from the cache are compared in the same way.
    const cached = await world.sit({ baseline: "without", runs: 3 });
    expect(cached.trials.every((one) => one.cached !== undefined)).toBe(true);
    expect(cached.scores.targets[0]?.lift?.cases).toMatchObject([same]);
    const config = await loadConfig({ cwd: world.dir, env: world.env });
    const again = await regradeRecord(place, { home: world.dir, config, env: world.env });
    expect((await readSat(again.place)).scores.targets[0]?.lift?.cases).toMatchObject([same]);
  });

  test("answers without the skill are kept, also when the skill is edited", async () => {
    await world.sit({ baseline: "without", runs: 1 });
    world.skill("letters", [], "Another description altogether.");
    const { trials } = await world.sit({ baseline: "without", runs: 1 });
    const cached = trials.map(({ cached, ask }) => [ask, cached !== undefined] as const);
    const twins = new Set(
      (await world.prepare({ baseline: "without" })).plan.questions.flatMap(({ baseline, ask }) =>
        baseline ? [ask] : [],
      ),
    );
    expect(cached.filter(([ask]) => twins.has(ask)).every(([, kept]) => kept)).toBe(true);
    expect(cached.filter(([ask]) => !twins.has(ask)).some(([, kept]) => kept)).toBe(false);
  });

  test("a trial without the skill in which it was loaded all the same is an error, not a comparison", async () => {
    world.script({
      default: { text: "good", skills: ["letters"], without_skill: { text: "bad", skills: ["letters"] } },
    });
    const { scores, trials } = await world.sit({ baseline: "without", runs: 1, retries: 0 });
    expect(
      trials.filter(({ error }) => error?.reason === "invalid_cell").map(({ error }) => error?.message)[0],
    ).toContain("letters was loaded in a trial that was supposed to go without it");
    expect(scores.targets[0]?.lift).toMatchObject({ n: 0, difference: null });
  });

  test.each(["letters", "/letters"])(
    "so is one in which the host's own tool loaded it by its name, which stages nothing of ours: %s",
    async (name) => {
      const call = (ok: boolean) => ({ tool: "Skill", input: { skill: name }, ok });
      const loads = { text: "bad", skills: [], calls: [call(true)] };
      world.script({ default: { text: "good", skills: ["letters"], without_skill: loads } });
      const { trials } = await world.sit({ baseline: "without", runs: 1, retries: 0, cache: false });
      expect(
        trials.some(({ error }) =>
          error?.message.startsWith("letters was loaded in a trial that was supposed to go without it"),
        ),
      ).toBe(true);
      world.script({
        default: { text: "good", skills: ["letters"], without_skill: { ...loads, calls: [call(false)] } },
      });
      const refused = await world.sit({ baseline: "without", runs: 1, retries: 0, cache: false });
      expect(refused.trials.filter(({ error }) => error !== undefined)).toEqual([]);
    },
  );

  test("another version is a folder with a skill of the same name", async () => {
    const elsewhere = new World();
    onTestFinished(() => elsewhere.remove());
    elsewhere.skill("letters", [], "The old one.");
    const { plan } = await world.prepare({ baseline: elsewhere.dir });
    const twin = plan.asks.find(({ ask }) => ask.variant !== undefined)!.ask;
    expect(twin.variant).toMatchObject({
      label: `with ${elsewhere.dir}`,
      folder: expect.stringContaining(join(".proctor", "versions")),
      fingerprint: expect.any(String),
    });
    await expect(world.prepare({ baseline: "no-such-thing" })).rejects.toThrow("neither a folder nor a git revision");
  });

  test.runIf(isHere("git"))(
    "another version is a git revision, which is read without starting git in the folder",
    async () => {
      const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
          cwd: world.dir,
          env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
          stdio: "ignore",
        });
      git("init", "-q");
      world.write("skills/letters/scripts/go.sh", "echo old");
      chmodSync(join(world.dir, "skills/letters/scripts/go.sh"), 0o755);
      git("add", "-A");
      git("commit", "-qm", "old");
      world.skill("letters", [], "The new one.");
      const { plan } = await world.prepare({ baseline: "HEAD" });
      const { folder } = plan.asks.find(({ ask }) => ask.variant !== undefined)!.ask.variant!;
      expect(readFileSync(join(folder!, "SKILL.md"), "utf8")).toContain("Does the work of letters.");
      expect(statSync(join(folder!, "scripts/go.sh")).mode & 0o100).toBe(0o100);
      expect(existsSync(join(folder!, "evals"))).toBe(false);
    },
  );

  test("pairwise graders see the other answer, in both orders", async () => {
    const asked: string[] = [];
    const server = await startRawModel((_path, body) => {
      asked.push(body);
      return { body: replyOf("ollama", "BETTER=A REASON=It is first.") };
    });
    onTestFinished(() => server.close());
    world.env = { OLLAMA_BASE_URL: `${server.url}/v1` };
    world.write("skills/letters/evals/evals.json", {
      evals: [{ id: "p", prompt: "helps", graders: [{ type: "pairwise", config: {} }] }],
    });
    const { trials, questions } = await world.sit({
      baseline: "without",
      runs: 1,
      judge: "ollama/qwen3",
      jobs: 4,
      cache: false,
    });
    const own = trials.find(({ ask }) => ask === questions.find(({ baseline }) => baseline === undefined)?.ask);
    expect(own?.checks[0]).toMatchObject({
      passed: true,
      score: 0.5,
      message: "no better and no worse than without the skill",
    });
    expect(asked.map((text) => text.includes("REPLY A:\\ngood")).sort()).toEqual([false, true]);
  });

  describe("graders that compare", () => {
    let says: string;
    beforeEach(async () => {
      says = "BETTER=A REASON=It is first.";
      const server = await startRawModel(() => ({ body: replyOf("ollama", says) }));
      onTestFinished(() => server.close());
      world.env = { OLLAMA_BASE_URL: `${server.url}/v1` };
    });
    const flags = { baseline: "without", runs: 1, judge: "ollama/qwen3" };
    const cases = (...graders: object[]) =>
      world.write("skills/letters/evals/evals.json", { evals: [{ id: "p", prompt: "helps", graders }] });
    const ownCheck = ({ trials, questions }: Awaited<ReturnType<World["sit"]>>) =>
      trials.findLast(({ ask }) => ask === questions.find(({ baseline }) => baseline === undefined)?.ask)?.checks[0];
    const regrade = async (place: RecordPlace) => {
      const config = await loadConfig({ cwd: world.dir, env: world.env });
      const again = await regradeRecord(place, { home: world.dir, config, env: world.env, judge: "ollama/qwen3" });
      return readSat(again.place);
    };

    test("grade a stored run, too, also one whose answers came from the cache", async () => {
      cases({ type: "contains", config: { value: "good" } });
      const first = await world.sit(flags);
      const cached = await world.sit(flags);
      expect(cached.trials.every((trial) => trial.cached !== undefined)).toBe(true);
      cases({ type: "pairwise", config: {} });
      for (const { place } of [first, cached])
        expect(ownCheck(await regrade(place))).toMatchObject({
          passed: true,
          score: 0.5,
          message: "no better and no worse than without the skill",
        });
    });

    test("cannot be made where the record has no word of the other answer: that is not an empty one", async () => {
      const stop = new AbortController();
      cases({ type: "pairwise", config: {} });
      const uncached = { ...flags, jobs: 1, cache: false };
      const first = await world.sit(uncached, {
        finish: stop.signal,
        on: (event) => event.type === "trial" && stop.abort(),
      });
      // A trial from the cache as early versions wrote it: without what was said.
      const cached = { measuredAt: "2026-11-15T10:00:00.000Z", savedMs: 1 };
      editRecord(first.place.file, (lines) =>
        lines.map((line) => (line.type === "trial" ? { ...line, cached, transcript: undefined } : line)),
      );
      expect(ownCheck(await world.sit(uncached, { resume: first.place }))).toMatchObject({
        passed: null,
        message: "there is nothing to compare with: what was said is not in the record",
      });
    });

    test("are given the other answer by a run that is resumed, though it was asked before", async () => {
      cases({ type: "pairwise", config: {} });
      const stop = new AbortController();
      const first = await world.sit(
        { ...flags, jobs: 1, cache: false },
        { finish: stop.signal, on: (event) => event.type === "trial" && stop.abort() },
      );
      expect(first.trials).toHaveLength(1);
      const whole = await world.sit({ ...flags, jobs: 1, cache: false }, { resume: first.place });
      expect(whole.trials).toHaveLength(2);
      expect(ownCheck(whole)).toMatchObject({ score: 0.5 });
    });
  });

  test("a stored comparison is graded again by today's graders on both sides, though what it was compared with is gone", async () => {
    const elsewhere = new World();
    elsewhere.skill("letters", [], "The old one.");
    const { place, scores } = await world.sit({ baseline: elsewhere.dir, runs: 1 });
    expect(scores.targets[0]?.lift).toMatchObject({ with: { rate: 2 / 3 }, without: { rate: 1 / 3 } });
    elsewhere.remove();
    world.write("skills/letters/evals/evals.json", {
      evals: ["helps", "both", "neither"].map((id) => ({
        id,
        prompt: id,
        assertions: [{ type: "contains", value: "bad" }],
      })),
    });
    const config = await loadConfig({ cwd: world.dir, env: world.env });
    const again = await regradeRecord(place, { home: world.dir, config, env: world.env });
    expect(again.kept).toEqual({});
    expect((await readSat(again.place)).scores.targets[0]?.lift).toMatchObject({
      with: { rate: 1 / 3 },
      without: { rate: 2 / 3 },
    });
  });
});
