import { join } from "node:path";
import type { LaunchPlan, TrialSetup } from "../adapter.ts";

/** Bundled skills can only be turned off one by one. */
const BUNDLED = ["customize-cloud-agent", "discover-resources", "github-pr-media"];

export function launch(trial: TrialSetup): LaunchPlan {
  return {
    // Without further permission it reads, loads skills and runs read-only commands; writing is denied and the session continues.
    args: [
      ...["--output-format", "json"],
      ...(trial.realistic ? [] : ["--disable-builtin-mcps"]),
      ...(trial.tools === "work" ? ["--allow-all-tools"] : []),
    ],
    stdin: trial.prompt,
    env: {
      ...login(trial),
      COPILOT_HOME: join(trial.home, ".copilot"),
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_MODEL: trial.model,
      // It unpacks itself into the cache at its first start, which is too much to do for every trial.
      XDG_CACHE_HOME: trial.cache,
      ...(trial.endpoint !== undefined && { COPILOT_PROVIDER_BASE_URL: trial.endpoint, COPILOT_OFFLINE: "true" }),
    },
    files: trial.realistic
      ? []
      : [{ path: ".copilot/settings.json", content: JSON.stringify({ disabledSkills: BUNDLED }) }],
  };
}

/** The one thing that logs it in: whatever else is set, the model could print with a command. A token of GitHub's is not for other endpoints. */
function login({ keys, endpoint }: TrialSetup): Record<string, string> {
  const names =
    endpoint === undefined ? ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"] : ["COPILOT_PROVIDER_API_KEY"];
  for (const name of names) if (keys[name] !== undefined) return { [name]: keys[name] };
  return {};
}
