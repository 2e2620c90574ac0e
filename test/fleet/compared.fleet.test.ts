import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { replyOf, startRawModel } from "../targets/models/raw-model.ts";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";
import { FleetWorld } from "./world/fleet-world.ts";

/** Codex, as far as it says what its skill says. */
const codex = `#!${process.execPath}
const fs = require("node:fs");
if (process.argv[2] === "--version") { console.log("codex-cli 0.166.0"); process.exit(0); }
const text = fs.readFileSync(".agents/skills/letters/SKILL.md", "utf8").includes("The old one") ? "old words" : "new words";
const dir = process.env.CODEX_HOME + "/sessions/2026";
fs.mkdirSync(dir, { recursive: true });
const payload = { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
fs.writeFileSync(dir + "/rollout-1.jsonl", JSON.stringify({ timestamp: "2026", type: "response_item", payload }) + "\\n");
console.log(JSON.stringify({ type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } }));
`;

describe.runIf(isHere("redis"))("a comparison on two workers", () => {
  let world: FleetWorld;
  let other: World;
  beforeEach(async () => {
    world = await FleetWorld.open();
    other = new World();
    other.skill("letters", [], "The old one.");
    world.skill("letters", [], "The new one.");
    world.write("codex", codex);
    chmodSync(join(world.dir, "codex"), 0o755);
    world.env["PROCTOR_CODEX_PATH"] = join(world.dir, "codex");
    world.env["CODEX_API_KEY"] = "sk-dummy";
    world.write("proctor.config.json", {
      targets: [{ target: "codex:m", options: { canary: false, sandbox: "off" } }],
    });
  });
  afterEach(async () => {
    await world.close();
    other.remove();
  });

  test("has the other version where it is asked, and the other answer where graders compare", async () => {
    const asked: string[] = [];
    const server = await startRawModel((_path, body) => {
      asked.push(body);
      return { body: replyOf("ollama", body.includes("REPLY A:\\nnew") ? "BETTER=A" : "BETTER=B") };
    });
    world.env["OLLAMA_BASE_URL"] = `${server.url}/v1`;
    world.write("skills/letters/evals/evals.json", {
      evals: [
        { id: "says", prompt: "Say it", graders: [{ type: "contains", config: { value: "new words" } }] },
        { id: "better", prompt: "Say it well", graders: [{ type: "pairwise", config: {} }] },
      ],
    });
    for (const name of ["one", "two"]) world.worker({ name, jobs: 1 });
    const options = {
      targets: ["codex:m"],
      baseline: other.dir,
      judge: "ollama/qwen3",
      runs: 2,
      sandbox: "off" as const,
    };
    const { scores, trials } = await world.onWorkers(options);
    await server.close();
    expect(trials.map(({ error }) => error)).toEqual(Array(8).fill(undefined));
    const [target] = scores.targets;
    expect(target?.lift?.cases.find(({ question }) => question.endsWith("#says"))).toMatchObject({
      mark: "helps",
      with: { rate: 1 },
      without: { rate: 0 },
    });
    expect(target?.questions.find(({ id }) => id.endsWith("#better"))).toMatchObject({ verdict: "pass" });
    const better = trials.flatMap(({ checks }) => checks).filter(({ question }) => question.endsWith("#better"));
    expect(better.map(({ message }) => message)).toEqual(
      Array(2).fill("better than without the skill, in both orders"),
    );
  });
});
