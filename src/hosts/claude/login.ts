import { join } from "node:path";
import type { LoginSource } from "../login.ts";
import { json, number, text } from "../reading/json.ts";

/**
 * Stored in Claude Code's configuration folder. The refresh token is removed, so that a trial cannot log the user out
 * elsewhere.
 */
export const login: LoginSource = {
  file: (env, home) => join(env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), ".credentials.json"),
  otherwise: (platform) =>
    platform === "darwin"
      ? "On macOS it is in the keychain, which Proctor does not copy from. Run claude setup-token and set CLAUDE_CODE_OAUTH_TOKEN to what it prints."
      : undefined,
  reduced(content) {
    const { refreshToken: _, ...kept } = json((JSON.parse(content) as Record<string, unknown>)["claudeAiOauth"]);
    const token = text(kept["accessToken"]);
    if (token === "") return { refused: "it has no access token" };
    const expiresAt = number(kept["expiresAt"]);
    return {
      kind: "subscription",
      files: [{ path: "claude/.credentials.json", content: JSON.stringify({ claudeAiOauth: kept }) }],
      secrets: [token],
      expiresAt,
    };
  },
};
