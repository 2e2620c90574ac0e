import { didYouMean, type Problem } from "../../base/index.ts";
import { boolean, type Document, isNull, type Node } from "../documents/index.ts";
import { suiteProblem } from "../rules.ts";

// biome-ignore format: lists of words
const KNOWN = {
  "an eval.yaml": [
    "name", "description", "skill", "version", "schemaVersion", "config", "inputs", "graders", "tasks", "tasks_from", "range", "metrics", "baseline", "hooks", "scenario",
    "mcp_mocks", "command_mocks", "adversarial", "tags",
  ],
  config: [
    "trials_per_task", "timeout_seconds", "model", "judge_model", "executor", "parallel", "workers", "fail_fast", "verbose", "group_by", "skill_directories", "required_skills",
    "inject_skill_body", "disabled_skills", "instruction_files", "mcp_servers", "max_attempts", "reasoning_effort", "judge_reasoning_effort", "trigger_skill_routing",
    "first_event_timeout_seconds", "sandbox", "baseline", "env", "system_prompt", "agent",
  ],
  "a task": [
    "id", "name", "description", "enabled", "tags", "inputs", "prompt", "expected", "graders", "files", "context_dir", "timeout_seconds", "golden", "requirements", "skill_directories",
    "instruction_files", "checkpoints", "command_mocks", "hooks", "mcp_servers", "max_attempts", "first_event_timeout_seconds", "max_turns", "runs", "skip", "split", "notes",
    "messages", "category", "difficulty", "responder",
  ],
  "a task's inputs": ["prompt", "prompt_file", "context", "files", "environment", "repos", "workdir", "follow_up_prompts", "follow_ups", "responder"],
  expected: ["outcomes", "tool_calls", "behavior", "output_contains", "output_not_contains", "output_contains_any", "matches", "should_trigger", "graders"],
  "an outcome": ["type", "value", "condition", "description", "tool_name"],
  "a responder": ["model", "instructions", "max_followups", "max_replies", "replies"],
  "a repository": ["type", "source", "path", "worktree", "commit", "dest"],
  "a file": ["path", "name", "content", "source"],
};

/** Settings that matter in waza but not here, with what to do instead. None is dropped silently. */
const NOT_HONOURED: Record<string, string> = {
  hooks: "Nothing of a suite runs outside the sandbox: stage what a hook would make with `files`.",
  mcp_mocks: "No server is started for a trial.",
  mcp_servers: "No server is started for a trial.",
  command_mocks: "Stage a script with `files`, and name it in the prompt.",
  max_attempts:
    "Asking until it passes would hide that it failed: `trials_per_task` asks several times, and the rate counts them all.",
  environment: "A trial's environment is built from an allow-list: put the values into a file of the workspace.",
  instruction_files: "Instructions beside the skill would become part of the exam.",
  checkpoints: "The graders see the whole trial.",
  adversarial: "Write its prompts as tasks.",
  scenario: "Only tasks are read.",
  range: "Choose tasks with --case or --tag.",
  workdir: "The examinee starts in the workspace's root.",
  commit: "The folder is staged as it is now.",
  env: "A trial's environment is built from an allow-list: put the values into a file of the workspace.",
  system_prompt: "The agent is examined as its users have it: write what it must know into the prompt.",
  agent: "Only skills are examined.",
  disabled_skills: "Every skill of the library is there; --only-skill stages only the one under test.",
  trigger_skill_routing: "Told to use skills, an examinee would show obedience, not what the description does.",
  reasoning_effort: "Choose it with the target, where its CLI has such a setting.",
  judge_reasoning_effort: "Choose the judge with --judge.",
  first_event_timeout_seconds: "`timeout_seconds` is the limit of the whole trial.",
  sandbox: "`--no-sandbox` and the settings of the target say how a trial is fenced in.",
  baseline: "`proctor run --baseline` also asks each case without its skill.",
  metrics: "`proctor run --gate 'score>=0.8'` fails where a rate is too low.",
  fail_fast: "Every question is asked; `--budget` and `--max-trials` limit what a run may take.",
  group_by: "Reports have every question with its skill, its tags and its target.",
};

const ONLY_SAID = new Set(["baseline", "metrics", "fail_fast", "group_by"]);

export function idleKeys(document: Document, map: Node | undefined, where: keyof typeof KNOWN): Problem[] {
  if (map?.type !== "map") return [];
  const known = KNOWN[where];
  return map.entries.flatMap(({ key, start, value }) => {
    if (/^[$_]|^x-/.test(key)) return [];
    if (!known.includes(key))
      return suiteProblem("suite/unknown-field", {
        message: `"${key}" is not a field of ${where} and has no effect.`,
        fix: didYouMean(key, known, "Delete it.", { most: 1, show: (one) => `\`${one}\`` }),
        location: document.at(start),
      });
    const fix = NOT_HONOURED[key];
    return fix === undefined || isOff(value)
      ? []
      : ignored(document, start, { message: `${key} has no effect here.`, fix, onlySaid: ONLY_SAID.has(key) });
  });
}

export function ignored(
  document: Document,
  at: Node | number,
  { message, fix, onlySaid = false }: { message: string; fix: string; onlySaid?: boolean },
): Problem {
  return suiteProblem("suite/ignored-setting", {
    severity: onlySaid ? "info" : "warning",
    message,
    fix,
    location: document.at(at),
  });
}

function isOff(node: Node): boolean {
  if (isNull(node) || boolean(node) === false) return true;
  return (node.type === "map" && node.entries.length === 0) || (node.type === "list" && node.items.length === 0);
}
