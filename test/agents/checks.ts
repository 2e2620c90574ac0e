import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLoopback } from "../../src/loopback/index.ts";
import type { TrialEvent } from "../../src/model/index.ts";
import { seeSkills } from "../../src/targets/agents/index.ts";
import { withoutItsSkill } from "./baseline.ts";
import { cliJudge } from "./cli-judge.ts";
import { cliModel, cliRouter } from "./cli-models.ts";
import type { Dialect } from "./dialects.ts";
import { firstMove } from "./first-move.ts";
import { followUps, subAgentTokens } from "./follow-ups.ts";
import { type Bench, environment, judge, targetOf, type Verdict } from "./harness.ts";
import { cacheFolder } from "./install.ts";
import { manySkills, writeSkill } from "./library.ts";
import { usersLogin } from "./login.ts";
import { projectContext } from "./project-context.ts";
import { cases } from "./scenarios.ts";
import { commandsOfSkills, hostFilesOfSkills, hostFilesOfSuites } from "./somebody-elses.ts";
import { leftBehind, surroundings } from "./surroundings.ts";
import { trialListing } from "./trial-listing.ts";
import { usersOwn } from "./users-own.ts";

/** What concerns more than one trial. */
export interface Check {
  name: string;
  not?(dialect: Dialect, bench: Bench): string | undefined;
  run(dialect: Dialect, bench: Bench): Promise<Omit<Verdict, "ms">>;
}

const NOTHING = "no file, no socket, no process";
const before = surroundings(join(cacheFolder(), "run"));

export const checks: Check[] = [
  {
    name: "16 in parallel",
    async run(dialect, bench) {
      const some = ["skill on turn 1", "another skill only", "no skill", "a name that contains another's"].map(
        (name) => cases.find((one) => one.name === name)!,
      );
      const verdicts = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          judge(dialect, { ...some[index % 4]!, timeout: 90 }, bench, String(index)),
        ),
      );
      const right = verdicts.filter((verdict) => verdict.right).length;
      const wrong = verdicts.find((verdict) => !verdict.right);
      return {
        right: right === 16,
        said: `${right} of 16 right${wrong === undefined ? "" : `; ${wrong.said}`}`,
        wanted: "16 of 16 right",
      };
    },
  },
  {
    name: "canary and control",
    async run(dialect, bench) {
      const rules = [
        { when: "single word ready", steps: [{ text: "ready" }] },
        // Not its name alone: some hosts show the folder tree in the first message.
        { when: "asking for the exam canary", steps: [{ calls: [dialect.load("exam-canary")] }] },
      ];
      const good = await firstAnswer(dialect, bench, { steps: [{ calls: [dialect.load("alpha")] }], rules });
      const deaf = await firstAnswer(dialect, bench, { steps: [{ text: "I never use skills." }] });
      const said = `${outcome(good)}; a model that ignores skills: ${outcome(deaf)}`;
      return {
        right: outcome(good) === "measured" && outcome(deaf) === "error: invalid_cell",
        said,
        wanted: "measured; a model that ignores skills: error: invalid_cell",
      };
    },
  },
  {
    name: "a trial writes nothing outside its workspace",
    not: (dialect, { unboxed }) => {
      if (dialect.noShell) return "its read-only profile has no shell";
      return unboxed && dialect.id === "codex" ? "no sandbox works on this machine" : undefined;
    },
    async run(dialect, bench) {
      const outside = join(tmpdir(), `outside-${process.pid}-${dialect.id}`);
      const script = () => ({ steps: [{ calls: [dialect.shell(`touch ${outside}`)] }] });
      await judge(dialect, { name: "outside", script, expect: { activations: [] } }, bench);
      const written = existsSync(outside);
      rmSync(outside, { force: true });
      return { right: !written, said: written ? "written" : "refused", wanted: "refused" };
    },
  },
  {
    name: "a case writes in its workspace",
    async run(dialect, bench) {
      const written = dialect.work ?? dialect.shell;
      const server = await startLoopback({ it: { steps: [{ calls: [written("echo done > out.txt")] }] } });
      try {
        const target = await targetOf(dialect, bench, `${server.url}/it/1${dialect.base}`, {
          canary: false,
          sandbox: "off",
        });
        const sitting = await target.open(bench.library);
        const ask = {
          key: "case",
          kind: "case" as const,
          prompt: "Write out.txt.",
          files: [],
          messages: [],
          library: "",
          limits: {},
        };
        const answer = await sitting.ask(ask, { run: 1, signal: new AbortController().signal, decided: () => false });
        for await (const _ of answer.events);
        const said = existsSync(join(answer.workspace ?? "", "out.txt")) ? "written" : "not written";
        await sitting.close();
        return { right: said === "written", said, wanted: "written" };
      } finally {
        await server.close();
      }
    },
  },
  {
    name: "the listing of 120 skills",
    async run(dialect, bench) {
      const root = mkdtempSync(join(tmpdir(), "proctor-see-"));
      try {
        const model = dialect.id === "claude" ? "claude-sonnet-4-5" : dialect.model;
        const seen = await seeSkills(dialect.id, await manySkills(root), {
          env: environment(dialect, bench),
          model,
          hermetic: true,
          cacheDir: bench.cacheDir,
        });
        const of = (shown: string) => seen.entries.filter((entry) => entry.shown === shown).length;
        const counts = ["whole", "cut", "bare", "absent"].flatMap((shown) =>
          of(shown) === 0 ? [] : [`${of(shown)} ${shown}`],
        );
        const said = [...counts, ...(seen.bundled.length === 0 ? [] : [`and its own ${seen.bundled.join(", ")}`])].join(
          ", ",
        );
        return { right: said === dialect.many, said, wanted: dialect.many };
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
  },
  trialListing,
  usersOwn,
  {
    name: "a distractor beside the library",
    async run(dialect, bench) {
      const root = mkdtempSync(join(tmpdir(), "proctor-beside-"));
      try {
        writeSkill(root, "delta", "Draws delta charts from CSV files. Use when the user asks for a delta chart.");
        const options = { canary: false, with_skills: [root] };
        const events = await firstAnswer(dialect, bench, { steps: [{ calls: [dialect.load("delta")] }] }, options);
        const said = events
          .flatMap((event) => (event.type === "activation" ? [`${event.skill} ${event.evidence}`] : []))
          .join("; ");
        return { right: said === `delta ${dialect.evidence}`, said, wanted: `delta ${dialect.evidence}` };
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
  },
  projectContext,
  firstMove,
  followUps,
  subAgentTokens,
  withoutItsSkill,
  cliJudge,
  cliRouter,
  cliModel,
  usersLogin,
  hostFilesOfSuites,
  hostFilesOfSkills,
  commandsOfSkills,
  {
    name: "nothing is left behind",
    async run(dialect, bench) {
      const killed = await killedTrials(dialect, bench);
      const left = leftBehind(before, join(bench.cacheDir, dialect.id), dialect.id);
      const said = left.length === 0 ? NOTHING : `${left.length}: ${left.slice(0, 5).join(", ")}`;
      return { right: said === NOTHING, said: killed ? said : `${said}; no trial was killed`, wanted: NOTHING };
    },
  },
];

/** With and without a sandbox, killed while they start, while they work, and while they wait. */
async function killedTrials(dialect: Dialect, bench: Bench): Promise<boolean> {
  const server = await startLoopback({
    it: { steps: [{ calls: [dialect.load("alpha")] }, { text: "Done.", delayMs: 60_000 }] },
  });
  try {
    const ends = [150, 700, 2_500].flatMap((ms) => [
      { ms, sandbox: "auto" },
      { ms, sandbox: "off" },
    ]);
    const reasons: (string | undefined)[] = [];
    for (const { ms, sandbox } of ends) {
      const target = await targetOf(dialect, bench, `${server.url}/it/${ms}-${sandbox}${dialect.base}`, {
        canary: false,
        sandbox,
      });
      const sitting = await target.open(bench.library);
      const ask = {
        key: "killed",
        kind: "trigger" as const,
        prompt: "Make an alpha chart.",
        files: [],
        messages: [],
        library: "",
        limits: {},
      };
      const answer = await sitting.ask(ask, { run: 1, signal: AbortSignal.timeout(ms), decided: () => false });
      for await (const event of answer.events) if (event.type === "end") reasons.push(event.error?.reason);
      await sitting.close();
    }
    return reasons.every((reason) => reason === "interrupted");
  } finally {
    await server.close();
  }
}

async function firstAnswer(
  dialect: Dialect,
  bench: Bench,
  scenario: Parameters<typeof startLoopback>[0][string],
  options: Record<string, unknown> = { canary: true },
): Promise<TrialEvent[]> {
  const server = await startLoopback({ it: scenario });
  try {
    const target = await targetOf(dialect, bench, `${server.url}/it/1${dialect.base}`, options);
    const sitting = await target.open(bench.library);
    const ask = {
      key: "canary",
      kind: "trigger" as const,
      prompt: "Please make an alpha chart.",
      files: [],
      messages: [],
      library: "",
      limits: {},
    };
    const answer = await sitting.ask(ask, { run: 1, signal: new AbortController().signal, decided: () => false });
    const events: TrialEvent[] = [];
    for await (const event of answer.events) events.push(event);
    await answer.dispose();
    await sitting.close();
    return events;
  } finally {
    await server.close();
  }
}

function outcome(events: TrialEvent[]): string {
  const end = events.at(-1);
  if (end?.type === "end" && end.error !== undefined) return `error: ${end.error.reason}`;
  return events.some((event) => event.type === "activation") ? "measured" : "nothing";
}
