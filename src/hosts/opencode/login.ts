import { join } from "node:path";
import type { LoginSource } from "../login.ts";
import { isJson, type Json, json, number, text } from "../reading/json.ts";

/** GitHub's "refresh token" is the token itself: it is sent with every request and never changes. */
const SENT_AS_IT_IS = new Set(["github-copilot", "github-copilot-enterprise"]);

/** One file holds the logins of all providers; a trial gets only its own model's. */
export const login: LoginSource = {
  file: (env, home) => join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "opencode", "auth.json"),
  reduced(content, { model }) {
    const stored = json(JSON.parse(content));
    const providers = Object.keys(stored).filter((name) => isJson(stored[name]));
    if (model === "") return { kind: "key", files: [], secrets: [], providers };
    const [provider = ""] = model.split("/");
    const entry = stored[provider];
    if (!isJson(entry))
      return {
        refused: `it has none for ${provider}${providers.length === 0 ? "" : `, only for ${providers.join(", ")}`}`,
        hint: "Log in with opencode auth login, or name a model as PROVIDER/MODEL.",
      };
    return entryOf(provider, entry, providers);
  },
};

function entryOf(provider: string, entry: Json, providers: string[]) {
  const written = (kept: Json) => [
    { path: ".local/share/opencode/auth.json", content: JSON.stringify({ [provider]: kept }) },
  ];
  if (entry["type"] === "api")
    return { kind: "key" as const, files: written(entry), secrets: [text(entry["key"])], providers };
  const access = text(entry["access"]);
  if (entry["type"] !== "oauth" || access === "" || provider === "azure")
    return { refused: `the login of ${provider} is of a kind that cannot be copied` };
  const lasting = SENT_AS_IT_IS.has(provider);
  const expiresAt = number(entry["expires"]);
  return {
    kind: "subscription" as const,
    // OpenCode refuses an entry without this field.
    files: written({ ...entry, refresh: lasting ? text(entry["refresh"]) : "" }),
    secrets: [access, ...(lasting ? [text(entry["refresh"])] : [])],
    providers,
    expiresAt: !lasting && expiresAt !== undefined && expiresAt > 0 ? expiresAt : undefined,
  };
}
