import { join } from "node:path";
import type { LaunchPlan, TrialSetup } from "../adapter.ts";

export function launch(trial: TrialSetup): LaunchPlan {
  const key = trial.keys["CODEX_API_KEY"] ?? trial.keys["OPENAI_API_KEY"];
  const speaks = trial.tools === "none";
  const instructions = "codex/instructions.md";
  return {
    args: [
      ...["exec", "--json", "--skip-git-repo-check", "--ignore-user-config", "--ignore-rules"],
      // Its own sandbox swallows the events of commands that fail in it, so it stays off inside ours.
      ...["--sandbox", trial.sandboxed && !speaks ? "danger-full-access" : "read-only"],
      ...["--disable", "plugins", "-c", "analytics.enabled=false"],
      ...(trial.realistic ? [] : ["-c", "skills.bundled.enabled=false"]),
      ...["-c", `model=${JSON.stringify(trial.model)}`],
      ...(trial.endpoint === undefined ? [] : provider(trial.endpoint, trial.login)),
      // A logged-in account brings its connected apps along.
      ...(trial.login === undefined ? [] : ["-c", "features.apps=false"]),
      ...(speaks ? onlySpeaks(join(trial.home, ...instructions.split("/"))) : []),
      "-",
    ],
    env: { CODEX_HOME: join(trial.home, "codex"), ...trial.keys, ...(key !== undefined && { PROCTOR_CODEX_KEY: key }) },
    // The folder must exist.
    files: [speaks ? { path: instructions, content: trial.system || PLAIN } : { path: "codex/.keep", content: "" }],
    // Prompts may exceed the maximum length of an argument.
    stdin: trial.prompt,
  };
}

/** Codex rejects an empty instructions file. */
const PLAIN = "Answer the user's message.";

const TOOLS = [
  "shell_tool",
  "unified_exec",
  "multi_agent",
  "apps",
  "goals",
  "image_generation",
  "view_image",
  "sleep_tool",
  "tool_suggest",
];
const WORDS = [
  "permissions_instructions",
  "environment_context",
  "apps_instructions",
  "collaboration_mode_instructions",
];

/** Codex has no switch for all tools. The remaining ones are harmless because its sandbox refuses writes. */
function onlySpeaks(instructions: string): string[] {
  const settings = [
    // As settings, because `--disable` fails on names that a version does not know.
    ...TOOLS.map((name) => `features.${name}=false`),
    ...WORDS.map((name) => `include_${name}=false`),
    'web_search="disabled"',
    "skills.include_instructions=false",
    `model_instructions_file=${JSON.stringify(instructions)}`,
  ];
  return settings.flatMap((setting) => ["-c", setting]);
}

function provider(endpoint: string, login: TrialSetup["login"]): string[] {
  const fields = {
    name: JSON.stringify("gateway"),
    base_url: JSON.stringify(endpoint),
    wire_api: JSON.stringify("responses"),
    ...(login === undefined ? { env_key: JSON.stringify("PROCTOR_CODEX_KEY") } : { requires_openai_auth: true }),
    request_max_retries: 1,
    stream_max_retries: 1,
  };
  const table = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return ["-c", 'model_provider="gateway"', "-c", `model_providers.gateway={${table.join(",")}}`];
}
