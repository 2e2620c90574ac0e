import type { Scenario } from "../../src/loopback/index.ts";
import type { Activation, ErrorReason } from "../../src/model/index.ts";
import type { Dialect } from "./dialects.ts";

/** What the model does, and what Proctor must say about it. */
export interface Case {
  name: string;
  /** In the workspace of the trial, whose path is not known before. */
  script(dialect: Dialect, workspace: string): Scenario;
  /** Where it is another than usual. */
  prompt?(dialect: Dialect): string;
  expect: Expected | ((dialect: Dialect) => Expected);
  /** Seconds for the trial; the default is 30. */
  timeout?: number;
  /** Stop as soon as something was activated. */
  stopEarly?: boolean;
  /** Kill the CLI from outside once the model was asked. */
  crash?: boolean;
  /** Nothing answers at the endpoint. */
  dead?: boolean;
  /** Rows of the peer's truth table that this is, see docs/agents.md. */
  peer?: string[];
  /** Why a CLI cannot be put to it. */
  not?(dialect: Dialect): string | undefined;
}

export type Expected =
  | { activations: Activation[]; ordered?: true; refused?: string[]; how?: string }
  | { error: ErrorReason[]; beforeTimeout?: true };

export const cases: Case[] = [
  {
    name: "skill on turn 1",
    script: (d) => ({ steps: [{ text: "I will use alpha.", calls: [d.load("alpha")] }] }),
    peer: ["1", "x1", "x4"],
    expect: (d) => fired(d, ["alpha", 1]),
  },
  {
    name: "skill on turn 2, after a command",
    script: (d) => ({ steps: [{ calls: [d.shell("ls")] }, { calls: [d.load("alpha")] }] }),
    peer: ["2"],
    expect: (d) => fired(d, ["alpha", 2]),
  },
  {
    name: "skill on turn 3, after other tools",
    script: (d) => ({
      steps: [{ calls: [d.shell("ls")] }, { calls: [d.read("sales.csv")] }, { calls: [d.load("alpha")] }],
    }),
    peer: ["3"],
    expect: (d) => fired(d, ["alpha", 3]),
  },
  {
    name: "another skill first",
    script: (d) => ({ steps: [{ calls: [d.load("beta")] }, { calls: [d.load("alpha")] }] }),
    peer: ["4"],
    expect: (d) => fired(d, ["beta", 1], ["alpha", 2]),
  },
  {
    name: "another skill only",
    script: (d) => ({ steps: [{ calls: [d.load("beta")] }] }),
    peer: ["6"],
    expect: (d) => fired(d, ["beta", 1]),
  },
  {
    name: "SKILL.md read as a file",
    script: (d, workspace) => ({ steps: [{ calls: [d.read(`${workspace}/${d.skillsDir}/alpha/SKILL.md`)] }] }),
    peer: ["11b"],
    expect: { activations: [{ skill: "alpha", turn: 1, evidence: "read" }] },
  },
  {
    name: "SKILL.md read with the shell",
    script: (d) => ({ steps: [{ calls: [d.shell(`cat ${d.skillsDir}/alpha/SKILL.md`)] }] }),
    peer: ["x5"],
    expect: { activations: [{ skill: "alpha", turn: 1, evidence: "read" }] },
    not: (d) => (d.noShell ? "its read-only profile has no shell" : undefined),
  },
  {
    name: "a skill that asks for tools of its own",
    script: (d) => ({ steps: [{ calls: [d.load("gamma")] }] }),
    expect: (d) => fired(d, ["gamma", 1]),
  },
  {
    name: "refused load",
    script: (d) => ({ steps: [{ calls: [d.refused.call] }] }),
    expect: (d) => ({ activations: [], refused: [d.refused.skill] }),
  },
  {
    name: "unknown skill",
    script: (d) => ({ steps: [{ calls: [d.load("alpha-unknown")] }] }),
    expect: { activations: [] },
  },
  {
    name: "a name that contains another's",
    script: (d) => ({ steps: [{ calls: [d.load("alpha-extended")] }] }),
    expect: (d) => fired(d, ["alpha-extended", 1]),
  },
  {
    name: "the name only in arguments and text",
    script: (d) => ({
      steps: [{ text: "I could use alpha, but no.", calls: [d.load("beta", "please do not use alpha")] }],
    }),
    peer: ["7a", "7b"],
    expect: (d) => fired(d, ["beta", 1]),
  },
  {
    name: "a path that only looks like a skill's",
    script: (d) => ({ steps: [{ calls: [d.read("nowhere/alpha/SKILL.md")] }] }),
    peer: ["x7"],
    expect: { activations: [] },
  },
  {
    name: "two skills in one message",
    script: (d) => ({ steps: [{ calls: [d.load("beta"), d.load("alpha")] }] }),
    peer: ["x3"],
    expect: (d) => fired(d, ["alpha", 1], ["beta", 1]),
  },
  {
    name: "a tool and a skill in one message",
    script: (d) => ({ steps: [{ calls: [d.shell("ls"), d.load("alpha")] }] }),
    peer: ["x2"],
    expect: (d) => fired(d, ["alpha", 1]),
  },
  {
    name: "60 kB of text before the skill",
    script: (d) => ({ steps: [{ text: longText(60_000), calls: [d.load("alpha")] }] }),
    peer: ["e9"],
    expect: (d) => fired(d, ["alpha", 1]),
  },
  {
    name: "skill inside a sub-agent",
    script: (d) => ({
      steps:
        "call" in d.subAgent
          ? [{ calls: [d.subAgent.call("SUBTASK: do the part about charts.")] }, ...(d.afterSubAgent ?? [])]
          : [],
      rules: [{ when: "SUBTASK", steps: [{ calls: [d.load("alpha")] }] }],
    }),
    expect: (d) => ({ activations: [{ skill: "alpha", turn: 1, evidence: d.evidence, agent: "sub" }] }),
    not: (d) => ("why" in d.subAgent ? d.subAgent.why : undefined),
  },
  {
    name: "a sub-agent's skill on turn 2, then another by the agent itself",
    script: (d) => ({
      steps: [
        { calls: [d.read("sales.csv")] },
        ...("call" in d.subAgent
          ? [{ calls: [d.subAgent.call("SUBTASK: do the part about charts.")] }, ...(d.afterSubAgent ?? [])]
          : []),
        { calls: [d.load("beta")] },
      ],
      rules: [{ when: "SUBTASK", steps: [{ calls: [d.read("sales.csv")] }, { calls: [d.load("alpha")] }] }],
    }),
    expect: (d) => ({
      activations: [
        { skill: "alpha", turn: 2, evidence: d.evidence, agent: "sub" },
        { skill: "beta", turn: 3 + (d.afterSubAgent ?? []).length, evidence: d.evidence },
      ],
      ordered: true,
    }),
    not: (d) => ("why" in d.subAgent ? d.subAgent.why : undefined),
  },
  {
    name: "the prompt names the skill as a command",
    prompt: (d) => `${d.commandSign ?? "/"}alpha from sales.csv, please`,
    script: () => ({ steps: [{ text: "Here it is." }] }),
    expect: (d) => ({
      activations: d.commandSign === undefined ? [] : [{ skill: "alpha", turn: 1, evidence: "loaded" }],
    }),
  },
  {
    name: "a prompt that is a command of the CLI",
    prompt: () => "/help",
    script: () => ({ steps: [{ text: "I cannot help." }] }),
    expect: (d) => (d.commandSign === "/" ? { error: ["not_asked"] } : { activations: [] }),
  },
  {
    name: "no skill",
    peer: ["5"],
    script: () => ({ steps: [{ text: "alpha, beta and gamma: none is needed." }] }),
    expect: { activations: [] },
  },
  {
    name: "stopped when decided",
    script: (d) => ({ steps: [{ calls: [d.load("alpha")] }, { fault: "hang" }] }),
    expect: (d) => ({ ...fired(d, ["alpha", 1]), how: "stopped" }),
    stopEarly: true,
  },
  {
    name: "turn limit",
    script: (d) => ({ steps: Array.from({ length: 12 }, (_, index) => ({ calls: [d.read(`notes-${index}.md`)] })) }),
    expect: { activations: [], how: "max_turns" },
  },
  { name: "HTTP 400", script: () => ({ steps: [{ fault: "status", status: 400 }] }), expect: { error: ["api"] } },
  {
    name: "HTTP 401",
    peer: ["8", "e2a"],
    script: () => ({ steps: [{ fault: "status", status: 401 }] }),
    expect: { error: ["auth"] },
  },
  {
    name: "HTTP 429",
    script: () => ({ steps: [{ fault: "status", status: 429, message: "Rate limit exceeded", retryAfterSeconds: 1 }] }),
    expect: { error: ["rate_limit"] },
    timeout: 20,
  },
  {
    name: "HTTP 429, to be tried again in an hour",
    script: () => ({
      steps: [{ fault: "status", status: 429, message: "Rate limit exceeded", retryAfterSeconds: 3600 }],
    }),
    expect: { error: ["rate_limit"], beforeTimeout: true },
    timeout: 45,
  },
  {
    name: "an endpoint where nothing answers",
    dead: true,
    script: () => ({ steps: [] }),
    expect: { error: ["api"], beforeTimeout: true },
    timeout: 45,
  },
  {
    name: "a quota that is used up",
    script: () => ({
      steps: [
        {
          fault: "status",
          status: 429,
          message: "You exceeded your current quota, please check your plan and billing details.",
        },
      ],
    }),
    expect: { error: ["rate_limit"] },
    timeout: 20,
  },
  {
    name: "HTTP 403",
    script: () => ({ steps: [{ fault: "status", status: 403, message: "Not allowed" }] }),
    expect: { error: ["auth"] },
  },
  {
    name: "HTTP 404, no such model",
    script: () => ({ steps: [{ fault: "status", status: 404, message: "The model `nope-1` does not exist" }] }),
    expect: { error: ["api"] },
  },
  {
    name: "a request that is too long",
    script: () => ({
      steps: [{ fault: "status", status: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" }],
    }),
    expect: { error: ["api"] },
  },
  {
    name: "HTTP 500",
    script: () => ({ steps: [{ fault: "status", status: 500, message: "Internal server error" }] }),
    // Codex calls every 5xx high demand.
    expect: (d) => ({ error: [d.id === "codex" ? "overloaded" : "api"] }),
    timeout: 20,
  },
  {
    name: "HTTP 529",
    peer: ["9", "e2b"],
    script: () => ({ steps: [{ fault: "status", status: 529, message: "Overloaded" }] }),
    expect: { error: ["overloaded"] },
    timeout: 20,
  },
  {
    name: "cut stream",
    peer: ["x6"],
    script: (d) => ({ steps: [{ fault: "cut", move: { calls: [d.load("alpha")] } }] }),
    expect: { error: ["cut_stream"] },
    timeout: 20,
  },
  {
    name: "garbage",
    script: () => ({ steps: [{ fault: "garbage" }] }),
    // To some hosts a stream without one event is a stream that broke.
    expect: { error: ["unparseable", "cut_stream"] },
    timeout: 20,
  },
  {
    name: "an answer without a word",
    script: () => ({ steps: [{}] }),
    expect: { error: ["unparseable"] },
    timeout: 20,
  },
  {
    name: "a tool call, then an answer without a word",
    script: (d) => ({ steps: [{ calls: [d.read("sales.csv")] }, ...Array.from({ length: 6 }, () => ({}))] }),
    expect: { error: ["unparseable"] },
    timeout: 20,
  },
  {
    name: "an answer that ran out of room",
    script: () => ({ steps: Array.from({ length: 8 }, () => ({ text: "I was going to", ends: "length" as const })) }),
    expect: { error: ["cut_answer"] },
    timeout: 20,
  },
  {
    name: "an answer that a filter stopped",
    script: () => ({ steps: Array.from({ length: 4 }, () => ({ text: "I was", ends: "filter" as const })) }),
    expect: { error: ["filtered"] },
    timeout: 20,
    // It asks again, and takes what was said for a turn of its own.
    not: (d) => (d.id === "codex" ? "it asks again until it is answered" : undefined),
  },
  {
    name: "a prompt that a command of the CLI replaces",
    prompt: (d) => (d.id === "copilot" ? "/goal make an alpha chart" : "/init"),
    script: () => ({ steps: [{ text: "Done." }] }),
    expect: { error: ["not_asked"] },
    not: (d) => (d.id === "codex" || d.id === "opencode" ? "it has no such command: the model is asked" : undefined),
  },
  {
    name: "the prompt names SKILL.md as @file",
    prompt: (d) => `Please look at @${d.skillsDir}/alpha/SKILL.md and tell me about it.`,
    script: () => ({ steps: [{ text: "Here it is." }] }),
    expect: (d) => ({
      activations: ["claude", "gemini", "qwen"].includes(d.id) ? [{ skill: "alpha", turn: 1, evidence: "read" }] : [],
    }),
  },
  {
    name: "a search that shows SKILL.md",
    script: (d, workspace) => ({ steps: [{ calls: [d.search!(`${workspace}/${d.skillsDir}/alpha`)] }] }),
    expect: { activations: [{ skill: "alpha", turn: 1, evidence: "read" }] },
    not: (d) => (d.search === undefined ? "it has no tool for it but the shell" : undefined),
  },
  {
    name: "hang",
    peer: ["10"],
    script: () => ({ steps: [{ fault: "hang" }] }),
    expect: { error: ["timeout"] },
    timeout: 6,
  },
  { name: "crash", script: () => ({ steps: [{ fault: "hang" }] }), expect: { error: ["crash"] }, crash: true },
];

/** Some hosts end a session whose model repeats itself. */
function longText(length: number): string {
  let text = "";
  for (let index = 0; text.length < length; index++)
    text += `${(index * 7919) % 10_007} alpha ${(index * 104_729) % 65_537}. `;
  return text;
}

function fired(dialect: Dialect, ...all: [string, number][]): { activations: Activation[] } {
  return { activations: all.map(([skill, turn]) => ({ skill, turn, evidence: dialect.evidence })) };
}
