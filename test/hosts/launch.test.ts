import { describe, expect, test } from "vitest";
import type { TrialSetup } from "../../src/hosts/adapter.ts";
import { agentHosts, loadAdapter } from "../../src/hosts/index.ts";
import { adapterOf } from "./adapters.ts";

const setup: TrialSetup = {
  model: "gpt-4.1",
  prompt: "Make a chart.",
  workspace: "/ws/project",
  home: "/ws/home",
  tmp: "/ws/tmp",
  cache: "/cache",
  keys: {},
  maxTurns: 6,
  tools: "read",
  sandboxed: true,
  realistic: false,
  context: false,
  decisive: [],
};

test.each(agentHosts.map(({ agent }) => agent.id))(
  "a prompt of any length reaches %s: it is no argument",
  async (id) => {
    const prompt = "Make a chart. ".repeat(20_000);
    const { args, env, stdin } = (await loadAdapter(id)).launch({ ...setup, prompt });
    expect(stdin).toContain(prompt);
    expect(JSON.stringify([args, env]).length).toBeLessThan(20_000);
  },
);

describe("Copilot CLI", () => {
  test("has neither skills nor MCP servers of its own in a trial, with or without an endpoint", () => {
    for (const endpoint of [{}, { endpoint: "http://127.0.0.1:4000/v1" }]) {
      const { args, files } = adapterOf("copilot").launch({ ...setup, ...endpoint });
      expect(args).toContain("--disable-builtin-mcps");
      expect(files![0]!.content).toContain("github-pr-media");
    }
  });

  test("has them with --realistic", () => {
    const { args, files } = adapterOf("copilot").launch({ ...setup, realistic: true });
    expect(args).not.toContain("--disable-builtin-mcps");
    expect(files).toEqual([]);
  });
});

describe("what logs Copilot CLI in", () => {
  const keys = { COPILOT_PROVIDER_API_KEY: "k", GH_TOKEN: "gh", GITHUB_TOKEN: "github" };
  const secrets = (given: Partial<TrialSetup>) =>
    Object.keys(adapterOf("copilot").launch({ ...setup, ...given }).env).filter((name) => /KEY|TOKEN/.test(name));

  test("is the key alone where it is pointed at an endpoint: the model could print every other", () => {
    expect(secrets({ keys, endpoint: "http://127.0.0.1:4000/v1" })).toEqual(["COPILOT_PROVIDER_API_KEY"]);
    expect(secrets({ keys: { GH_TOKEN: "gh" }, endpoint: "http://127.0.0.1:4000/v1" })).toEqual([]);
  });

  test("is one token where it is not", () => {
    expect(secrets({ keys })).toEqual(["GH_TOKEN"]);
    expect(secrets({ keys: { ...keys, COPILOT_GITHUB_TOKEN: "own" } })).toEqual(["COPILOT_GITHUB_TOKEN"]);
  });
});

test.each(["claude", "codex", "copilot", "gemini", "opencode", "qwen"])(
  "a prompt is no argument of %s: those are limited",
  (id) => {
    const prompt = "Make a chart of these numbers: ".repeat(7_000);
    const { args, stdin } = adapterOf(id).launch({ ...setup, prompt });
    expect(stdin).toBe(prompt);
    expect(args.join(" ")).not.toContain("numbers");
  },
);
