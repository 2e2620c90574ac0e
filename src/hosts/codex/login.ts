import { join } from "node:path";
import { expiryOfJwt, type LoginSource } from "../login.ts";
import { json, text } from "../reading/json.ts";

export const login: LoginSource = {
  file: (env, home) => join(env["CODEX_HOME"] || join(home, ".codex"), "auth.json"),
  otherwise: () =>
    'Log in with codex login first; where Codex keeps it in the keychain, first set cli_auth_credentials_store = "file" in its config.toml. Or set CODEX_API_KEY.',
  reduced(content) {
    const stored = json(JSON.parse(content));
    const key = text(stored["OPENAI_API_KEY"]);
    const tokens = json(stored["tokens"]);
    const access = text(tokens["access_token"]);
    if (access !== "" && stored["auth_mode"] !== "apikey") {
      const kept = {
        id_token: text(tokens["id_token"]),
        access_token: access,
        // Without this field Codex sees no login at all; an empty value is never used.
        refresh_token: "",
        account_id: tokens["account_id"] ?? null,
      };
      // Codex renews tokens without an expiry if the last renewal is some days old.
      const auth = { auth_mode: "chatgpt", OPENAI_API_KEY: null, tokens: kept, last_refresh: new Date().toISOString() };
      const expiresAt = expiryOfJwt(access);
      return {
        kind: "subscription",
        files: [{ path: "codex/auth.json", content: JSON.stringify(auth) }],
        secrets: [access, kept.id_token],
        expiresAt,
      };
    }
    if (key === "") return { refused: "it holds neither an API key nor the tokens of a ChatGPT account" };
    const auth = { auth_mode: "apikey", OPENAI_API_KEY: key };
    return { kind: "key", files: [{ path: "codex/auth.json", content: JSON.stringify(auth) }], secrets: [key] };
  },
};
