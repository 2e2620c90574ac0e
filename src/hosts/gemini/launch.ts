import { join } from "node:path";
import type { LaunchPlan, TrialSetup } from "../adapter.ts";

export function launch(trial: TrialSetup): LaunchPlan {
  return {
    args: ["--skip-trust", "-m", trial.model, "-o", "stream-json", ...permissions(trial)],
    stdin: trial.prompt,
    env: {
      ...trial.keys,
      ...(trial.endpoint !== undefined && { GOOGLE_GEMINI_BASE_URL: trial.endpoint }),
      GEMINI_CLI_HOME: trial.home,
      // Flushes telemetry before an early stop.
      OTEL_BLRP_SCHEDULE_DELAY: "100",
      // Otherwise it relaunches itself, and the first process ignores signals.
      GEMINI_CLI_NO_RELAUNCH: "true",
    },
    files: [
      { path: ".gemini/settings.json", content: JSON.stringify(settings(trial)) },
      { path: "policy.toml", content: POLICY },
    ],
  };
}

/** Path relative to HOME. Holds its system prompts, and thereby the listing. */
export const TELEMETRY = "telemetry.log";

/** In headless mode the skill tool is not even registered unless a policy allows it: every skill would score 0 %. */
const POLICY = '[[rule]]\ntoolName = "activate_skill"\ndecision = "allow"\npriority = 900\n';

function permissions(trial: TrialSetup): string[] {
  return trial.tools === "work" ? ["--approval-mode", "yolo"] : ["--policy", join(trial.home, "policy.toml")];
}

function settings(trial: TrialSetup) {
  return {
    // Without it, a custom endpoint makes it ask for another kind of login.
    security: { auth: { selectedType: trial.login === undefined ? "gemini-api-key" : "oauth-personal" } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
    privacy: { usageStatisticsEnabled: false },
    // Written to a file of the trial, for the listing in it; nothing is sent anywhere.
    telemetry: { enabled: true, target: "local", outfile: join(trial.home, TELEMETRY), logPrompts: false },
    skills: trial.realistic ? undefined : { disabled: ["skill-creator", "antigravity-support"] },
  };
}
