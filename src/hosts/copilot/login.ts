import { join } from "node:path";
import { parse } from "jsonc-parser";
import type { LoginSource } from "../login.ts";
import { json, text } from "../reading/json.ts";

const INSTEAD = "Set COPILOT_GITHUB_TOKEN; with GitHub's CLI logged in, gh auth token prints one.";

/**
 * Copilot CLI keeps its token in the system's keychain; without one, or on request, in its configuration. It does not
 * expire.
 */
export const login: LoginSource = {
  file: (env, home) => join(env["COPILOT_HOME"] || join(home, ".copilot"), "config.json"),
  otherwise: () => INSTEAD,
  reduced(content, { endpoint }) {
    if (endpoint !== undefined)
      return {
        refused: "Copilot CLI does not use it with an endpoint of your own, and COPILOT_PROVIDER_BASE_URL is set",
        hint: "Unset it, or set COPILOT_PROVIDER_API_KEY.",
      };
    const config = json(parse(content));
    const token = tokenIn(config);
    if (token === undefined)
      return { refused: "the token is in the system's keychain, which Proctor does not copy from", hint: INSTEAD };
    return { kind: "subscription", files: [], env: { COPILOT_GITHUB_TOKEN: token }, secrets: [token] };
  },
};

/** Stored under the host and name of the user who logged in last; older versions use `copilotTokens`. */
function tokenIn(config: Record<string, unknown>): string | undefined {
  const { host, login: name } = json(config["lastLoggedInUser"]);
  const user = `${text(host)}:${text(name)}`;
  const token =
    text(json(json(config["authTokens"])[`${user}:github`])["token"]) || text(json(config["copilotTokens"])[user]);
  return token === "" ? undefined : token;
}
