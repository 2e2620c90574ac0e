import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loopback, startLoopback } from "../../src/loopback/index.ts";
import { dialects } from "../agents/dialects.ts";
import { install } from "../agents/install.ts";
import { writeSkill } from "../agents/library.ts";
import { isHere } from "../tools.ts";
import { essence } from "../world.ts";
import { FleetWorld } from "./world/fleet-world.ts";
import { Processes } from "./world/processes.ts";

/** The real Claude Code and Codex, against scripted models on 127.0.0.1. */
describe.skipIf(!isHere("redis") || process.platform !== "linux" || process.arch !== "x64")(
  "real agents on two workers",
  () => {
    const chosen = dialects.filter(({ id }) => id === "claude" || id === "codex");
    let processes: Processes;
    let world: FleetWorld;
    let server: Loopback;
    const agents: Record<string, string> = { PATH: "" };
    beforeAll(async () => {
      processes = await Processes.build();
      world = await FleetWorld.open();
      writeSkill(world.dir, "alpha", "Draws alpha charts from CSV files. Use when the user asks for an alpha chart.");
      writeSkill(world.dir, "beta", "Formats beta invoices as PDF. Use when the user mentions invoices.");
      world.write("skills/alpha/evals/triggers.json", [
        { query: "Please make an alpha chart of sales.csv.", should_trigger: true },
        { query: "I need an alpha chart, quickly.", should_trigger: true },
        { query: "Send the invoice to Ada.", should_trigger: false },
        { query: "What is the capital of France?", should_trigger: false },
      ]);
      world.write("skills/beta/evals/triggers.json", [{ query: "Send the invoice to Ada.", should_trigger: true }]);
      const scenarios = chosen.map(
        (dialect) =>
          [
            dialect.id,
            {
              steps: [{ text: "Paris." }],
              rules: [
                {
                  when: "alpha chart of",
                  steps: [{ calls: [dialect.load("alpha")] }, { text: "The chart is drawn." }],
                },
                { when: "invoice to", steps: [{ calls: [dialect.load("beta")] }, { text: "It is sent." }] },
              ],
            },
          ] as const,
      );
      server = await startLoopback(Object.fromEntries(scenarios));
      world.write("proctor.config.json", {
        targets: chosen.map(({ id, model, base }) => ({
          target: `${id}:${model}`,
          endpoint: `${server.url}/${id}/1${base}`,
          options: { canary: false },
          timeout_seconds: 120,
        })),
      });
      const folders: string[] = [];
      for (const { id, key } of chosen) {
        const { file, path } = install(id);
        folders.push(...path);
        agents[key] = "sk-dummy";
        agents[`PROCTOR_${id.toUpperCase()}_PATH`] = file;
      }
      agents["PATH"] = [...folders, "/usr/local/bin", "/usr/bin", "/bin"].join(":");
    });
    afterAll(async () => {
      await processes.killAll();
      await server.close();
      await world.close();
      processes.remove();
    });

    test("give the same table as here, to a run that has neither the CLIs nor the keys", async () => {
      const env = world.env;
      world.env = { ...env, ...agents };
      const here = await world.here({ targets: undefined, runs: 1, jobs: 2 });
      for (const name of ["one", "two"]) processes.worker(world, name, { jobs: 1 });
      world.env = { ...env, PATH: "/usr/bin:/bin" };
      const there = await world.onWorkers({ targets: undefined, runs: 1, workersWait: 60 });

      // When a decided trial is ended, its CLI may be a turn further or not.
      const table = (sat: typeof here) =>
        sat.trials
          .map(({ target, ask, activations, checks, listing, how }) => ({
            target,
            ask,
            activations,
            checks,
            listing,
            how,
          }))
          .sort((a, b) => (`${a.target} ${a.ask}` < `${b.target} ${b.ask}` ? -1 : 1));
      expect(table(there)).toEqual(table(here));
      expect(essence(there)).toEqual(essence(here));
      expect(there.header.targets).toEqual(here.header.targets);
      expect(there.trials.filter(({ error }) => error !== undefined)).toEqual([]);
      expect(new Set(there.trials.map(({ attempts }) => attempts[0]?.worker))).toEqual(new Set(["one", "two"]));
      const passed = there.scores.targets.map(({ id, questions }) => [
        id.split(":")[0],
        questions.filter(({ verdict }) => verdict === "pass").length,
      ]);
      // "I need an alpha chart, quickly" is not understood by this model.
      expect(passed).toEqual([
        ["claude", 4],
        ["codex", 4],
      ]);
    });
  },
);
