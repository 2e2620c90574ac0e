import { join } from "node:path";
import type { AgentAdapter } from "../adapter.ts";

/** Claude Code keeps it in its configuration folder. Without the refresh token a trial cannot log the user out elsewhere. */
export const login: NonNullable<AgentAdapter["login"]> = {
  file: (env, home) => join(env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), ".credentials.json"),
  into: "claude/.credentials.json",
  reduced(text) {
    try {
      const { claudeAiOauth } = JSON.parse(text) as { claudeAiOauth: Record<string, unknown> };
      const { refreshToken: _, ...kept } = claudeAiOauth;
      const expiresAt = typeof kept["expiresAt"] === "number" ? kept["expiresAt"] : undefined;
      return { content: JSON.stringify({ claudeAiOauth: kept }), ...(expiresAt !== undefined && { expiresAt }) };
    } catch {
      return {};
    }
  },
};
