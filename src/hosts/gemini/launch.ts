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
      // Soon enough for a trial that is ended early.
      OTEL_BLRP_SCHEDULE_DELAY: "100",
      // Otherwise it starts itself once more, and the first process ignores signals.
      GEMINI_CLI_NO_RELAUNCH: "true",
    },
    files: [
      { path: ".gemini/settings.json", content: JSON.stringify(settings(trial)) },
      { path: "policy.toml", content: POLICY },
    ],
  };
}

/** Its system prompts are in there, and so what it says about skills. Relative to HOME. */
export const TELEMETRY = "telemetry.log";

/** Headless, it does not even register the skill tool unless a policy allows it: every skill would measure 0 %. */
const POLICY = '[[rule]]\ntoolName = "activate_skill"\ndecision = "allow"\npriority = 900\n';

function permissions(trial: TrialSetup): string[] {
  return trial.tools === "work" ? ["--approval-mode", "yolo"] : ["--policy", join(trial.home, "policy.toml")];
}

function settings(trial: TrialSetup) {
  return {
    // Without it, an endpoint of one's own makes it ask for another kind of login.
    security: { auth: { selectedType: trial.login === undefined ? "gemini-api-key" : "oauth-personal" } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
    privacy: { usageStatisticsEnabled: false },
    // Into a file of the trial's own, for the listing that is in it; nothing is sent anywhere.
    telemetry: { enabled: true, target: "local", outfile: join(trial.home, TELEMETRY), logPrompts: false },
    ...(!trial.realistic && { skills: { disabled: ["skill-creator", "antigravity-support"] } }),
  };
}
