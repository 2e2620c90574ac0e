import { describe, expect, test } from "vitest";
import { parseGate } from "../../src/exam/score/index.ts";
import { type RenderOptions, renderTerminal } from "../../src/reporters/index.ts";
import { haiku, scene } from "./scenes.ts";

type Scene = Parameters<typeof scene>[0];

const next = (parts: Scene, options: RenderOptions = {}) =>
  renderTerminal(scene({ targets: [haiku], runs: 3, ...parts }), { width: 200, ...options })
    .split("\n")
    .filter((line) => /^(next:| {2}or )/.test(line))
    .join("\n");

describe("the command that a report proposes", () => {
  test("for CI repeats the target, and its gate holds now", () => {
    const line = next({});
    expect(line).toMatch(/^next: to enforce this in CI: proctor run -t claude:haiku --gate '([^']+)'$/);
    const gate = /--gate '([^']+)'/.exec(line)![1]!;
    expect(parseGate(gate)).toMatchObject({ metric: "recall" });
    expect(next({ options: { gates: [gate] } })).not.toContain("--gate");
  });

  test("repeats the flags that say what is asked and of whom, and the configuration", () => {
    const head = { options: { said: ["--skill", "refund policy", "--use-login"] }, partial: ["--skill refund policy"] };
    expect(next({ head }, { config: "ci/proctor.config.yaml" })).toMatch(
      /proctor run -t claude:haiku --skill "refund policy" --use-login --config ci\/proctor\.config\.yaml --gate '/,
    );
    expect(next({ head, wrong: 4 }, { config: "c.yaml", verbose: true })).toMatch(
      /proctor report 2026-11-15-a --trials "[^"]+" --config c\.yaml(?: {5}|\n {2})or +proctor run -t claude:haiku --skill "refund policy" --use-login --config c\.yaml --failed$/,
    );
  });

  test("names the workers that the run was made on, but no password", () => {
    expect(next({}, { workers: "redis://fleet:6379" })).toContain(
      "proctor run -t claude:haiku --workers redis://fleet:6379 --gate '",
    );
    expect(next({ ended: false }, { workers: "redis://fleet:6379" })).toBe(
      "next: proctor run --resume 2026-11-15-a --workers redis://fleet:6379",
    );
    expect(next({ ended: false }, { workers: "rediss://:pa55@fleet:6380" })).toBe(
      "next: proctor run --resume 2026-11-15-a --workers URL",
    );
  });

  test("names the paths of the run, and those of the library where it is all of it", () => {
    expect(next({}, { base: "shop", paths: ["shop/skills/refund"] })).toContain(
      "proctor run shop/skills/refund -t claude:haiku",
    );
    expect(next({}, { base: "shop" })).toContain("proctor run shop -t claude:haiku");
    expect(next({ wrong: 4 }, { base: "shop", paths: ["shop/skills/refund"] })).toMatch(
      /proctor report \S+ --trials "[^"]+" {5}or proctor run shop\/skills\/refund /,
    );
  });

  test("is no gate that was just breached, but what would change it", () => {
    const line = next({ options: { gates: ["lower(recall)>=0.95"] }, perSkill: 2 });
    expect(line).not.toContain("--gate");
    expect(line).toMatch(/^next: more questions narrow the interval: proctor init \S+ --dry-run$/);
  });

  test("is a gate on the estimate where so few questions make a bound meaningless", () => {
    expect(next({ skills: ["faq"], perSkill: 1 })).toContain("--gate 'recall>=0.9'");
  });

  test("asks whoever is here and knows more what the prediction cannot tell", () => {
    const better = {
      target: "router:cli/claude",
      flags: ["--use-login"],
      what: "Claude Code with your login",
      costUsd: null,
      onPlan: true as const,
    };
    const embedded = { targets: undefined, runs: 1 };
    expect(next({ ...embedded, wrong: 4 }, { better, width: 100 })).toBe(
      'next: proctor run -t router:cli/claude --use-login   (shows whether they really fail, on your plan)\n  or  proctor route "My order has not moved for a week, is it lost?"',
    );
    expect(next(embedded, { better: { ...better, costUsd: 0.15 } })).toBe(
      "next: proctor run -t router:cli/claude --use-login   (shows whether they really pass, up to about $0.15)",
    );
    const scores = scene({ wrong: 4 });
    scores.targets[0]!.total.coverage.missing.unsure = 7;
    expect(renderTerminal(scores, { better: { ...better, costUsd: 0 } })).toMatch(
      /next: proctor run -t router:cli\/claude --use-login {3}\(asks every question, also the 7, free\)/,
    );
    expect(next({ wrong: 4 }, { better })).not.toContain("router:cli");
  });

  test("names nobody who is not here: it says what to install, or who would know", () => {
    const embedded = { targets: undefined, runs: 1 };
    const scores = scene({ wrong: 4 });
    scores.targets[0]!.total.coverage.missing.unsure = 7;
    const lines = (better?: "nobody") => renderTerminal(scores, { better, verbose: true, width: 120 });
    expect(lines("nobody")).toMatch(
      /next: proctor route .*\n {2}or {2}to ask the 7: install Ollama \(free\) or an agent CLI: see proctor doctor/,
    );
    expect(lines()).toContain("proctor doctor   (who on this machine can be asked the 7)");
    expect(next(embedded, { better: "nobody" })).toMatch(/^next: to see whether they really pass: install Ollama/);
    for (const better of [undefined, "nobody"] as const)
      expect(next({ ...embedded, wrong: 4 }, { better })).not.toContain("claude");
  });

  test("of a run in which nothing could be told asks all of it, and resumes nothing", () => {
    const scores = scene({});
    const { coverage } = scores.targets[0]!.total;
    coverage.missing.unsure = coverage.verdicts;
    coverage.verdicts = 0;
    const better = { target: "router:ollama/qwen3:8b", flags: [], what: "Ollama", costUsd: 0 };
    expect(renderTerminal(scores, { better })).toMatch(
      /next: proctor run -t router:ollama\/qwen3:8b {3}\(asks every question, also the \d+, free\)/,
    );
  });

  test("goes on with a run, with its configuration", () => {
    expect(next({ ended: false }, { config: "c.yaml" })).toBe(
      "next: proctor run --resume 2026-11-15-a --config c.yaml",
    );
  });
});
