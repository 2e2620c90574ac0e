import { join } from "node:path";
import type { LaunchPlan, TrialSetup } from "../adapter.ts";

const WRITERS = [
  "run_shell_command",
  "write_file",
  "edit",
  "notebook_edit",
  "monitor",
  "cron_create",
  "enter_worktree",
];

export function launch(trial: TrialSetup): LaunchPlan {
  return {
    // Without -y, loading a skill needs approval from a classifier model or from an absent user.
    args: [
      "--auth-type",
      "openai",
      "-o",
      "stream-json",
      "-y",
      ...(trial.tools === "read" ? WRITERS.flatMap((tool) => ["--exclude-tools", tool]) : []),
    ],
    stdin: trial.prompt,
    env: {
      ...trial.keys,
      OPENAI_MODEL: trial.model,
      ...(trial.endpoint !== undefined && { OPENAI_BASE_URL: trial.endpoint }),
    },
    files: [{ path: ".qwen/settings.json", content: JSON.stringify(settings(trial)) }],
  };
}

const BUNDLED =
  "batch browser-use computer-use coordinate curator dataviz extension-creator goal-draft loop new-app qc-helper review simplify skill-creator stuck workflow-authoring workflow-creator zvec-grep-install".split(
    " ",
  );

export const REQUESTS = "requests";

function settings(trial: TrialSetup) {
  return {
    model: {
      enableOpenAILogging: true,
      openAILoggingDir: join(trial.home, REQUESTS),
      // maxRetries covers the two retry loops that can be switched off, out of three; they make a rate limit look like
      // a hang.
      generationConfig: { maxRetries: 0 },
    },
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
    telemetry: { enabled: false },
    skills: trial.realistic ? undefined : { disabled: BUNDLED },
  };
}
