import type { ScriptedCall, ScriptedMove } from "../../src/loopback/index.ts";

/** How a scripted model says the same thing to each CLI. */
export interface Dialect {
  id: string;
  model: string;
  /** What stands after `<server>/<scenario>/<run>`. */
  base: string;
  key: string;
  skillsDir: string;
  load(skill: string, args?: string): ScriptedCall;
  read(path: string): ScriptedCall;
  shell(command: string): ScriptedCall;
  /** A search of all lines below a folder, where it has a tool for that. */
  search?(folder: string): ScriptedCall;
  /** The shell where it may be used: in a case. */
  work?(command: string): ScriptedCall;
  /** A load that the host turns down. */
  refused: { call: ScriptedCall; skill: string };
  subAgent: { call(prompt: string): ScriptedCall } | { why: string };
  /** A prompt that begins with this and a skill's name is replaced by the skill. */
  commandSign?: "/" | "$";
  /** How a successful load is seen. */
  evidence: "loaded" | "read";
  /** What becomes of 120 skills with descriptions of some 400 characters. */
  many: string;
  /** What the model does while its sub-agent works. */
  afterSubAgent?: ScriptedMove[];
  /** Its time limits are so much longer: it starts slowly, or waits long before it tries again. */
  patience?: number;
  /** Its read-only profile has no shell. */
  noShell?: boolean;
}

const claude: Dialect = {
  id: "claude",
  model: "claude-opus-5-5",
  base: "",
  key: "ANTHROPIC_API_KEY",
  skillsDir: ".claude/skills",
  load: (skill, args) => ({ tool: "Skill", input: { skill, ...(args !== undefined && { args }) } }),
  read: (path) => ({ tool: "Read", input: { file_path: path } }),
  shell: (command) => ({ tool: "Bash", input: { command, description: "look" } }),
  refused: { call: { tool: "Skill", input: { skill: "hidden" } }, skill: "hidden" },
  subAgent: {
    call: (prompt) => ({
      tool: "Task",
      input: { description: "sub", prompt, run_in_background: false, subagent_type: "general-purpose" },
    }),
  },
  commandSign: "/",
  evidence: "loaded",
  many: "17 whole, 103 bare",
};

const exec = (command: string): ScriptedCall => ({
  tool: "exec",
  input: `const r = await tools.exec_command({cmd: ${JSON.stringify(command)}}); text(r.output ?? JSON.stringify(r));`,
});

const codex: Dialect = {
  id: "codex",
  model: "gpt-6.1-sol",
  base: "/v1",
  key: "OPENAI_API_KEY",
  skillsDir: ".agents/skills",
  load: (skill) => exec(`cat .agents/skills/${skill}/SKILL.md`),
  read: (path) => exec(`sed -n 1,200p ${path}`),
  shell: exec,
  refused: { call: exec("false && cat .agents/skills/alpha/SKILL.md"), skill: "alpha" },
  subAgent: {
    call: (prompt) => ({
      tool: "spawn_agent",
      namespace: "collaboration",
      input: { task_name: "sub", message: prompt, fork_turns: "none" },
    }),
  },
  afterSubAgent: [{ calls: [{ tool: "wait_agent", namespace: "collaboration", input: { timeout_ms: 10_000 } }] }],
  commandSign: "$",
  evidence: "read",
  many: "120 cut",
};

const copilot: Dialect = {
  id: "copilot",
  model: "gpt-4.1",
  base: "/v1",
  key: "COPILOT_PROVIDER_API_KEY",
  skillsDir: ".agents/skills",
  load: (skill, args) => ({ tool: "skill", input: { skill, ...(args !== undefined && { args }) } }),
  read: (path) => ({ tool: "view", input: { path } }),
  shell: (command) => ({ tool: "bash", input: { command, description: "look" } }),
  search: (path) => ({ tool: "grep", input: { pattern: ".", paths: path, path, output_mode: "content" } }),
  refused: { call: { tool: "skill", input: { skill: "hidden" } }, skill: "hidden" },
  subAgent: {
    call: (prompt) => ({
      tool: "task",
      input: { agent_type: "general-purpose", description: "sub", name: "sub", prompt },
    }),
  },
  evidence: "loaded",
  many: "30 whole, 90 bare",
};

const gemini: Dialect = {
  id: "gemini",
  patience: 2,
  model: "gemini-2.5-pro",
  base: "",
  key: "GEMINI_API_KEY",
  skillsDir: ".agents/skills",
  search: (dir_path) => ({ tool: "grep_search", input: { pattern: ".", dir_path } }),
  load: (skill) => ({ tool: "activate_skill", input: { name: skill } }),
  read: (path) => ({ tool: "read_file", input: { file_path: path } }),
  // Its read-only profile has no shell; looking around is a tool of its own.
  shell: () => ({ tool: "list_directory", input: { dir_path: "." } }),
  work: (command) => ({ tool: "run_shell_command", input: { command, description: "do" } }),
  noShell: true,
  refused: { call: { tool: "activate_skill", input: { name: "alpha", nonsense: 1 } }, skill: "alpha" },
  subAgent: { call: (prompt) => ({ tool: "invoke_agent", input: { agent_name: "generalist", prompt } }) },
  evidence: "loaded",
  many: "120 whole",
};

const opencode: Dialect = {
  id: "opencode",
  patience: 3,
  model: "mock-1",
  base: "/v1",
  key: "OPENAI_API_KEY",
  skillsDir: ".agents/skills",
  load: (skill) => ({ tool: "skill", input: { name: skill } }),
  search: (path) => ({ tool: "grep", input: { pattern: ".", path } }),
  read: (path) => ({ tool: "read", input: { filePath: path } }),
  shell: () => ({ tool: "glob", input: { pattern: "*.csv" } }),
  work: (command) => ({ tool: "bash", input: { command, description: "do" } }),
  noShell: true,
  // It turns down only skills that do not exist; of those that do, a file can still be read in vain.
  refused: {
    call: { tool: "read", input: { filePath: ".agents/skills/alpha/SKILL.md", offset: 5_000 } },
    skill: "alpha",
  },
  subAgent: { call: (prompt) => ({ tool: "task", input: { description: "sub", prompt, subagent_type: "general" } }) },
  evidence: "loaded",
  many: "120 whole",
};

const qwen: Dialect = {
  id: "qwen",
  patience: 3,
  model: "mock-1",
  base: "/v1",
  key: "OPENAI_API_KEY",
  skillsDir: ".qwen/skills",
  load: (skill) => ({ tool: "skill", input: { skill } }),
  search: (path) => ({ tool: "grep_search", input: { pattern: ".", path } }),
  read: (path) => ({ tool: "read_file", input: { file_path: path } }),
  shell: () => ({ tool: "glob", input: { pattern: "*.csv" } }),
  work: (command) => ({ tool: "run_shell_command", input: { command, description: "do", is_background: false } }),
  noShell: true,
  refused: { call: { tool: "skill", input: { skill: "hidden" } }, skill: "hidden" },
  subAgent: {
    call: (prompt) => ({ tool: "agent", input: { description: "sub", prompt, subagent_type: "general-purpose" } }),
  },
  commandSign: "/",
  evidence: "loaded",
  many: "120 whole",
};

export const dialects: Dialect[] = [claude, codex, copilot, gemini, opencode, qwen];
