import { join } from "node:path";
import type { LaunchPlan, TrialSetup } from "../adapter.ts";

export function launch(trial: TrialSetup): LaunchPlan {
  const key = trial.keys["CODEX_API_KEY"] ?? trial.keys["OPENAI_API_KEY"];
  return {
    args: [
      ...["exec", "--json", "--skip-git-repo-check", "--ignore-user-config", "--ignore-rules"],
      // Its own sandbox swallows the events of commands that fail in it: inside ours it stays off.
      ...["--sandbox", trial.sandboxed ? "danger-full-access" : "read-only"],
      ...["--disable", "plugins", "-c", "analytics.enabled=false"],
      ...(trial.realistic ? [] : ["-c", "skills.bundled.enabled=false"]),
      ...["-c", `model=${JSON.stringify(trial.model)}`],
      ...(trial.endpoint === undefined ? [] : provider(trial.endpoint)),
      ...["--", trial.prompt],
    ],
    env: { CODEX_HOME: join(trial.home, "codex"), ...trial.keys, ...(key !== undefined && { PROCTOR_CODEX_KEY: key }) },
    // It wants the folder to exist.
    files: [{ path: "codex/.keep", content: "" }],
  };
}

function provider(endpoint: string): string[] {
  const fields = {
    name: JSON.stringify("gateway"),
    base_url: JSON.stringify(endpoint),
    wire_api: JSON.stringify("responses"),
    env_key: JSON.stringify("PROCTOR_CODEX_KEY"),
    request_max_retries: 1,
    stream_max_retries: 1,
  };
  const table = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return ["-c", 'model_provider="gateway"', "-c", `model_providers.gateway={${table.join(",")}}`];
}
