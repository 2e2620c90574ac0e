import { describe, expect, test } from "vitest";
import type { TrialSetup } from "../../src/hosts/adapter.ts";
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
  decisive: [],
};

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
