import { join } from "node:path";
import type { LaunchPlan, TrialSetup } from "../adapter.ts";

export function launch(trial: TrialSetup): LaunchPlan {
  return {
    args: [
      ...["-p", "--output-format", "stream-json", "--verbose", "--model", trial.model],
      ...["--setting-sources", "project", "--strict-mcp-config", "--max-turns", String(trial.maxTurns)],
      ...permissions(trial),
      ...["--settings", JSON.stringify(settings(trial))],
    ],
    // Prompts may exceed the maximum length of an argument.
    stdin: trial.prompt,
    env: {
      ...trial.keys,
      ...(trial.endpoint !== undefined && { ANTHROPIC_BASE_URL: trial.endpoint }),
      CLAUDE_CONFIG_DIR: join(trial.home, "claude"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      ...(!trial.context && { CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1" }),
      // Its default of ten retries makes a wrong key look like a hang.
      CLAUDE_CODE_MAX_RETRIES: "1",
      ...(!trial.realistic && { CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1" }),
      ...(trial.tools === "work" && trial.sandboxed && { IS_SANDBOX: "1" }),
    },
  };
}

/** Without `--allowedTools Skill`, a skill that has allowed-tools of its own could not be loaded. */
function permissions(trial: TrialSetup): string[] {
  if (trial.tools === "none") return ["--tools", "", "--system-prompt", trial.system ?? ""];
  if (trial.tools === "read") return ["--allowedTools", "Skill"];
  return ["--permission-mode", trial.sandboxed ? "bypassPermissions" : "acceptEdits", "--allowedTools", "Skill"];
}

function settings(trial: TrialSetup) {
  return {
    enabledPlugins: trial.realistic ? undefined : { "cc-plugin-plugin-authoring@builtin": false },
    hooks:
      trial.decisive.length > 0 && process.platform !== "win32"
        ? { PostToolUse: [{ matcher: "Skill", hooks: [stopHook(trial.decisive)] }] }
        : undefined,
  };
}

/** Ends the session after a decisive load: the next request is not paid for, and the cost is still reported. */
function stopHook(names: string[]) {
  const patterns = names.map((name) => `*${quoted(`"commandName":${JSON.stringify(name)}`)}*`).join("|");
  const stop = quoted(JSON.stringify({ continue: false, stopReason: "decided" }));
  return { type: "command", command: `case "$(cat)" in ${patterns}) printf %s ${stop};; esac` };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
