import { join } from "node:path";
import type { LoginSource } from "../login.ts";
import { json, number, text } from "../reading/json.ts";

const ACCOUNTS = "google_accounts.json";

/** A Google account. Gemini CLI verifies the token with Google whatever endpoint is set. */
export const login: LoginSource = {
  file: (env, home) => join(env["GEMINI_CLI_HOME"] || home, ".gemini", "oauth_creds.json"),
  siblings: [ACCOUNTS],
  otherwise: () =>
    "Log in with gemini first (with Google, and without GEMINI_FORCE_ENCRYPTED_FILE_STORAGE), or set GEMINI_API_KEY.",
  reduced(content, { endpoint, env, siblings }) {
    if (endpoint !== undefined)
      return {
        refused: "with a Google account's login, Gemini CLI speaks only to Google, and GOOGLE_GEMINI_BASE_URL is set",
        hint: "Unset it, or set GEMINI_API_KEY.",
      };
    const { refresh_token: _, ...kept } = json(JSON.parse(content));
    const token = text(kept["access_token"]);
    if (token === "") return { refused: "it has no access token" };
    const expiresAt = number(kept["expiry_date"]);
    const project = env["GOOGLE_CLOUD_PROJECT"];
    const active = json(JSON.parse(siblings[ACCOUNTS] ?? "{}"))["active"];
    return {
      kind: "subscription",
      files: [
        { path: ".gemini/oauth_creds.json", content: JSON.stringify(kept) },
        // Otherwise it looks up the user before every trial.
        ...(typeof active === "string"
          ? [{ path: `.gemini/${ACCOUNTS}`, content: JSON.stringify({ active, old: [] }) }]
          : []),
      ],
      // Company and school accounts need it.
      env: project ? { GOOGLE_CLOUD_PROJECT: project } : undefined,
      secrets: [token, text(kept["id_token"])].filter((secret) => secret !== ""),
      expiresAt,
    };
  },
};
