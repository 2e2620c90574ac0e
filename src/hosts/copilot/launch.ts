import { join } from "node:path";
import type { LaunchPlan, TrialSetup } from "../adapter.ts";

const BUNDLED = ["customize-cloud-agent", "discover-resources", "github-pr-media"];

export function launch(trial: TrialSetup): LaunchPlan {
  return {
    // Without further permission it reads, loads skills and runs read-only commands; writes are denied and the session
    // continues.
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
      // It unpacks itself into the cache at its first start, which is too slow to repeat for every trial.
      XDG_CACHE_HOME: trial.cache,
      ...(trial.endpoint !== undefined && { COPILOT_PROVIDER_BASE_URL: trial.endpoint, COPILOT_OFFLINE: "true" }),
    },
    files: trial.realistic
      ? []
      : [{ path: ".copilot/settings.json", content: JSON.stringify({ disabledSkills: BUNDLED }) }],
  };
}

/**
 * Passes on only the one variable that logs it in, since the model could print any other with a command. A GitHub token
 * is never sent to another endpoint.
 */
function login({ keys, endpoint }: TrialSetup): Record<string, string> {
  const names =
    endpoint === undefined ? ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"] : ["COPILOT_PROVIDER_API_KEY"];
  for (const name of names) if (keys[name] !== undefined) return { [name]: keys[name] };
  return {};
}
