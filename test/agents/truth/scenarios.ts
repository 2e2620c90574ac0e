import type { Scenario, ScriptedFault, ScriptedMove } from "../../../src/loopback/index.ts";
import type { ErrorReason } from "../../../src/model/index.ts";
import type { Dialect } from "../dialects.ts";
import { denials, looks, readings } from "./commands.ts";

/** What the model does, and what is true of it. The script fixes it; the requests that the model's server saw confirm it. */
export interface TruthScenario {
  name: string;
  group: string;
  model?: string;
  prompt?: string;
  script(workspace: string): Scenario;
  /** The skills that fired, and the turn of the first. */
  fires: string[];
  turn?: number;
  /** Nothing was measured, for one of these reasons. */
  error?: ErrorReason[];
  /** The CLI may also forbid it: then that is an error, never "no skill". */
  mayBeDenied?: true;
  /** Skills whose bodies the model got to see, where these are others than fired. */
  sees?: string[];
  /** Stopped as soon as something has fired: its twin, which was not stopped, confirms it. */
  stop?: boolean;
  timeout?: number;
}

/** All scenarios of a CLI. */
export function truthScenarios(d: Dialect): TruthScenario[] {
  const models = d.id === "codex" ? [d.model, "gpt-5.5"] : [d.model];
  return [
    ...(d.noShell ? [] : models.flatMap((model) => shellScenarios(speaking(d, model), model))),
    ...searchScenarios(d),
    ...toolScenarios(d),
    ...agentScenarios(d),
    ...refusedScenarios(d),
    ...faultScenarios(d),
    ...mentionScenarios(d),
    ...promptScenarios(d),
  ];
}

/** Older models of Codex call the shell by a tool of its own instead of a script. */
function speaking(d: Dialect, model: string): Dialect {
  if (model === d.model) return d;
  const shell = (cmd: string) => ({ tool: "exec_command", input: { cmd } });
  return {
    ...d,
    model,
    shell,
    read: (path) => shell(`sed -n 1,200p ${path}`),
    load: (skill) => shell(`cat ${d.skillsDir}/${skill}/SKILL.md`),
  };
}

function shellScenarios(d: Dialect, model: string): TruthScenario[] {
  const of = model === d.model && d.id !== "codex" ? "" : ` (${model})`;
  const denied = denials(d.id);
  const read = readings(d.skillsDir).flatMap(({ command, fires }, index): TruthScenario[] => {
    const reads = { calls: [d.shell(command)] };
    const common = { group: "shell reading", model, script: () => ({ steps: [reads] }) };
    // Where the CLI writes down late what it has told, all of them; elsewhere a few.
    const twin = d.id === "copilot" ? index === 0 : model === "gpt-5.5" || index % 4 === 0;
    if (denied.has(command))
      return [{ ...common, name: `denied: ${command}${of}`, group: "denied", fires: [], error: ["denied"] }];
    // What exactly Copilot forbids changes with its versions.
    const open = d.id === "copilot" ? { mayBeDenied: true as const } : {};
    return [
      { ...common, ...open, name: `${command}${of}`, fires, turn: 1 },
      ...(twin ? [stopped({ ...common, ...open, name: `${command}${of}`, fires, turn: 1 }, reads)] : []),
    ];
  });
  const looked = looks(d.skillsDir).map(
    ({ command, sees = [] }): TruthScenario => ({
      name: `${command}${of}`,
      group: "looking only",
      model,
      script: () => ({ steps: [{ calls: [d.shell(command)] }] }),
      fires: [],
      sees,
    }),
  );
  return [...read, ...looked];
}

/** The same, stopped as soon as something has fired: the model would not answer again in any case. */
function stopped(one: TruthScenario, move: ScriptedMove): TruthScenario {
  return {
    ...one,
    name: `stopped: ${one.name}`,
    group: "stopped",
    stop: true,
    script: () => ({ steps: [move, { fault: "hang" }] }),
  };
}

function toolScenarios(d: Dialect): TruthScenario[] {
  const file = (workspace: string, skill: string) => `${workspace}/${d.skillsDir}/${skill}/SKILL.md`;
  const steps = (...moves: ScriptedMove[]) => ({ steps: moves });
  const group = "tools";
  return [
    { name: "load alpha", group, script: () => steps({ calls: [d.load("alpha")] }), fires: ["alpha"], turn: 1 },
    { name: "load beta", group, script: () => steps({ calls: [d.load("beta")] }), fires: ["beta"], turn: 1 },
    { name: "load brief", group, script: () => steps({ calls: [d.load("brief")] }), fires: ["brief"], turn: 1 },
    { name: "load quoted", group, script: () => steps({ calls: [d.load("quoted")] }), fires: ["quoted"], turn: 1 },
    {
      name: "load alpha on turn 3",
      group,
      script: () => steps({ calls: [d.shell("ls")] }, { calls: [d.read("sales.csv")] }, { calls: [d.load("alpha")] }),
      fires: ["alpha"],
      turn: 3,
    },
    {
      name: "load two at once",
      group,
      script: () => steps({ calls: [d.load("alpha"), d.load("beta")] }),
      fires: ["alpha", "beta"],
      turn: 1,
    },
    {
      name: "load two in turn",
      group,
      script: () => steps({ calls: [d.load("beta")] }, { calls: [d.load("alpha")] }),
      fires: ["alpha", "beta"],
      turn: 1,
    },
    {
      name: "load the same twice",
      group,
      script: () => steps({ calls: [d.load("alpha")] }, { calls: [d.load("alpha")] }),
      fires: ["alpha"],
      turn: 1,
    },
    {
      name: "words, then a load",
      group,
      script: () => steps({ text: "I use alpha.", calls: [d.load("alpha")] }),
      fires: ["alpha"],
      turn: 1,
    },
    stopped(
      { name: "load alpha", group, script: () => steps(), fires: ["alpha"], turn: 1 },
      { calls: [d.load("alpha")] },
    ),
    stopped(
      { name: "load beta, with words", group, script: () => steps(), fires: ["beta"], turn: 1 },
      { text: "I use beta.", calls: [d.load("beta")] },
    ),
    {
      name: "read alpha's file",
      group,
      script: (w) => steps({ calls: [d.read(file(w, "alpha"))] }),
      fires: ["alpha"],
      turn: 1,
    },
    {
      name: "read alpha's file by a relative path",
      group,
      script: () => steps({ calls: [d.read(`${d.skillsDir}/alpha/SKILL.md`)] }),
      // Qwen Code wants whole paths.
      ...(d.id === "qwen" ? { fires: [] } : { fires: ["alpha"], turn: 1 }),
    },
    {
      name: "read brief's file",
      group,
      script: (w) => steps({ calls: [d.read(file(w, "brief"))] }),
      fires: ["brief"],
      turn: 1,
    },
    {
      name: "read a file through /proc/self/cwd",
      group,
      script: () => steps({ calls: [d.read(`/proc/self/cwd/${d.skillsDir}/alpha/SKILL.md`)] }),
      // To the read tool of Claude Code that is outside the workspace.
      ...(d.id === "claude" ? { fires: [], error: ["denied"] } : { fires: ["alpha"], turn: 1, mayBeDenied: true }),
    },
    {
      name: "read a path with dots in it",
      group,
      script: (w) => steps({ calls: [d.read(`${w}/${d.skillsDir}/../skills/alpha/SKILL.md`)] }),
      fires: ["alpha"],
      turn: 1,
    },
    {
      name: "read a reference of alpha's",
      group,
      script: (w) => steps({ calls: [d.read(`${w}/${d.skillsDir}/alpha/references/steps.md`)] }),
      fires: [],
    },
    {
      name: "read the README that quotes a skill",
      group,
      script: (w) => steps({ calls: [d.read(`${w}/README.md`)] }),
      fires: [],
      sees: ["quoted"],
    },
    {
      name: "read a file that is not there",
      group,
      script: () => steps({ calls: [d.read("nowhere/alpha/SKILL.md")] }),
      fires: [],
    },
    { name: "read data", group, script: (w) => steps({ calls: [d.read(`${w}/sales.csv`)] }), fires: [] },
  ];
}

/** Tools that search show lines of files, too. */
function searchScenarios(d: Dialect): TruthScenario[] {
  const { search } = d;
  if (search === undefined) return [];
  const one = (name: string, folder: string, fires: string[]): TruthScenario => ({
    name: `search ${name}`,
    group: "search",
    script: (w) => ({ steps: [{ calls: [search(`${w}/${d.skillsDir}/${folder}`)] }] }),
    fires,
    ...(fires.length > 0 && { turn: 1 }),
  });
  return [
    one("alpha's folder", "alpha", ["alpha"]),
    one("brief's folder", "brief", ["brief"]),
    one("alpha's references", "alpha/references", []),
  ];
}

/** What a sub-agent does, and what its own sub-agent does. */
function agentScenarios(d: Dialect): TruthScenario[] {
  if (!("call" in d.subAgent)) return [];
  const { call } = d.subAgent;
  const after = d.afterSubAgent ?? [];
  const outer = { steps: [{ calls: [call("SUBTASK: look after the charts.")] }, ...after] };
  const inner = (
    name: string,
    steps: ScriptedMove[] | ((workspace: string) => ScriptedMove[]),
    fires: string[],
    sees?: string[],
  ): TruthScenario => ({
    name: `in a sub-agent: ${name}`,
    group: "sub-agents",
    script: (w) => ({ ...outer, rules: [{ when: "SUBTASK", steps: typeof steps === "function" ? steps(w) : steps }] }),
    fires,
    timeout: 60,
    ...(sees && { sees }),
    ...(fires.length > 0 && { turn: 1 }),
  });
  const path = `${d.skillsDir}/alpha/SKILL.md`;
  const nested: TruthScenario = {
    name: "in a sub-agent's sub-agent: load alpha",
    group: "sub-agents",
    timeout: 60,
    script: () => ({
      ...outer,
      rules: [
        { when: "DEEPER", steps: [{ calls: [d.load("alpha")] }] },
        { when: "SUBTASK", steps: [{ calls: [call("DEEPER: the bars alone.")] }, ...after] },
      ],
    }),
    fires: ["alpha"],
    turn: 1,
  };
  return [
    inner("load alpha", [{ calls: [d.load("alpha")] }], ["alpha"]),
    inner("load beta on turn 2", [{ calls: [d.shell("ls")] }, { calls: [d.load("beta")] }], ["beta"]),
    ...(d.noShell
      ? []
      : [
          inner("cat", [{ calls: [d.shell(`cat ${path}`)] }], ["alpha"]),
          inner("grep -n", [{ calls: [d.shell(`grep -n '' ${path}`)] }], ["alpha"]),
          inner("ls", [{ calls: [d.shell(`ls ${d.skillsDir}`)] }], []),
        ]),
    inner("read", (w) => [{ calls: [d.read(`${w}/${path}`)] }], ["alpha"]),
    inner("nothing", [{ text: "Nothing to do with alpha." }], []),
    inner(
      "the README that quotes a skill",
      (w) => [{ calls: [d.noShell ? d.read(`${w}/README.md`) : d.shell("cat README.md")] }],
      [],
      ["quoted"],
    ),
    // Codex keeps sub-agents from starting more.
    ...(d.id === "claude" ? [nested] : []),
  ];
}

function refusedScenarios(d: Dialect): TruthScenario[] {
  const group = "refused";
  const one = (name: string, move: ScriptedMove): TruthScenario => ({
    name,
    group,
    script: () => ({ steps: [move] }),
    fires: [],
  });
  return [
    one("an unknown skill", { calls: [d.load("alpha-unknown")] }),
    one("a part of a name", { calls: [d.load("alph")] }),
    // Copilot finds a skill whatever its letters' case.
    {
      ...one("a name in capitals", { calls: [d.load("ALPHA")] }),
      ...(d.id === "copilot" && { fires: ["alpha"], turn: 1 }),
    },
    ...(d.noShell
      ? []
      : [
          one("a file that is no skill's", { calls: [d.shell(`cat ${d.skillsDir}/SKILL.md`)] }),
          one("a skill's folder", { calls: [d.shell(`cat ${d.skillsDir}/alpha`)] }),
          one("a branch that is not taken", { calls: [d.shell(`false && cat ${d.skillsDir}/alpha/SKILL.md`)] }),
        ]),
  ];
}

const FAULTS: { name: string; fault: ScriptedFault; error: ErrorReason[]; timeout?: number }[] = [
  { name: "HTTP 400", fault: { fault: "status", status: 400 }, error: ["api"] },
  { name: "HTTP 401", fault: { fault: "status", status: 401 }, error: ["auth"] },
  { name: "HTTP 403", fault: { fault: "status", status: 403, message: "Not allowed" }, error: ["auth"] },
  {
    name: "HTTP 429",
    fault: { fault: "status", status: 429, message: "Rate limit exceeded", retryAfterSeconds: 1 },
    error: ["rate_limit"],
  },
  {
    name: "HTTP 500",
    fault: { fault: "status", status: 500, message: "Internal server error" },
    error: ["api", "overloaded"],
  },
  { name: "HTTP 529", fault: { fault: "status", status: 529, message: "Overloaded" }, error: ["overloaded"] },
  { name: "a cut stream", fault: { fault: "cut" }, error: ["cut_stream"] },
  { name: "garbage", fault: { fault: "garbage" }, error: ["unparseable", "cut_stream"] },
  { name: "a hang", fault: { fault: "hang" }, error: ["timeout"], timeout: 10 },
];

const SPOILT: { name: string; move: ScriptedMove; error: ErrorReason[] }[] = [
  { name: "an empty answer", move: {}, error: ["unparseable"] },
  { name: "an answer cut for length", move: { text: "I would", ends: "length" }, error: ["cut_answer"] },
];

/** At once, and in mid-turn: after a look around, and after a skill was read. */
function faultScenarios(d: Dialect): TruthScenario[] {
  const group = "faults";
  const at: { when: string; before: ScriptedMove[]; sees: string[] }[] = [
    { when: "at once", before: [], sees: [] },
    { when: "after a command", before: [{ calls: [d.shell("ls")] }], sees: [] },
    { when: "after a load", before: [{ calls: [d.load("alpha")] }], sees: ["alpha"] },
  ];
  return at.flatMap(({ when, before, sees }) => [
    ...FAULTS.map(
      ({ name, fault, error, timeout }): TruthScenario => ({
        name: `${name}, ${when}`,
        group,
        script: () => ({ steps: [...before, fault] }),
        fires: [],
        error,
        sees,
        timeout: timeout ?? 60,
      }),
    ),
    ...SPOILT.map(
      ({ name, move, error }): TruthScenario => ({
        name: `${name}, ${when}`,
        group,
        script: () => ({ steps: [...before, ...Array.from({ length: 8 }, () => move)] }),
        fires: [],
        error,
        sees,
        timeout: 60,
      }),
    ),
    {
      name: `a load in a cut stream, ${when}`,
      group,
      script: () => ({ steps: [...before, { fault: "cut", move: { calls: [d.load("beta")] } }] }),
      fires: [],
      error: ["cut_stream"],
      sees,
      timeout: 60,
    },
    {
      name: `one fault, then a load, ${when}`,
      group,
      script: () => ({
        steps: [...before, { fault: "status", status: 500, times: 1, after: { calls: [d.load("beta")] } }],
      }),
      fires: [...sees, "beta"],
      timeout: 60,
    },
  ]);
}

function mentionScenarios(d: Dialect): TruthScenario[] {
  const words = [
    "I could use alpha, but I will not.",
    `The file is ${d.skillsDir}/alpha/SKILL.md.`,
    `cat ${d.skillsDir}/alpha/SKILL.md`,
    '{"tool":"Skill","input":{"skill":"alpha"}}',
    "Launching skill: alpha",
    "Base directory for this skill: .claude/skills/alpha",
    "---\nname: alpha\ndescription: Draws alpha charts.\n---",
    "alpha beta brief quoted",
  ];
  return words.map(
    (text): TruthScenario => ({
      name: `only says: ${text}`,
      group: "mentions",
      script: () => ({ steps: [{ text }] }),
      fires: [],
    }),
  );
}

function promptScenarios(d: Dialect): TruthScenario[] {
  const group = "prompts";
  const script = () => ({ steps: [{ text: "Here it is." }] });
  const sign = d.commandSign ?? "/";
  const long = `Please make an alpha chart. ${"These are the numbers: 1, 2, 3. ".repeat(6_500)}`;
  return [
    {
      name: "the prompt names a skill as a command",
      group,
      prompt: `${sign}alpha from sales.csv`,
      script,
      ...(d.commandSign === undefined ? { fires: [] } : { fires: ["alpha"], turn: 1 }),
    },
    {
      name: "a prompt of 200 kB",
      group,
      prompt: long,
      script: () => ({ steps: [{ calls: [d.load("alpha")] }] }),
      fires: ["alpha"],
      turn: 1,
    },
    { name: "a prompt that begins with a dash", group, prompt: "--help me with a chart", script, fires: [] },
    ...(d.id === "claude"
      ? ([
          { name: "/init", group, prompt: "/init", script, fires: [], error: ["not_asked"] },
          { name: "/goal", group, prompt: "/goal make an alpha chart", script, fires: [], error: ["not_asked"] },
          { name: "/help", group, prompt: "/help", script, fires: [], error: ["not_asked"] },
          {
            name: "@file of a skill",
            group,
            prompt: `Look at @${d.skillsDir}/alpha/SKILL.md`,
            script,
            fires: ["alpha"],
            turn: 1,
          },
        ] satisfies TruthScenario[])
      : []),
  ];
}
