import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { LaunchPlan, TrialSetup } from "../adapter.ts";

export const SYSTEM = "proctor/system.txt";

const PLUGIN = "proctor/plugin.js";
const CONFIG = ".config/opencode";

export function launch(trial: TrialSetup): LaunchPlan {
  const ours = plugin(trial.home);
  return {
    // A preset title saves a request. The prompt goes to stdin, since an argument with blanks would reach the model in
    // quotes.
    args: ["run", "--format", "json", "--title", "trial", "--print-logs", "--log-level", "ERROR"],
    stdin: trial.prompt,
    env: {
      ...trial.keys,
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...config(trial), ...ours.config }),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      ...(trial.endpoint !== undefined && { OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    },
    files: ours.files,
  };
}

/** Bundled skills cannot be switched off, but denied ones are not listed. */
const BUNDLED = { "customize-opencode": "deny" };

function config(trial: TrialSetup) {
  const forbidden = trial.tools === "read" ? { edit: "deny", bash: "deny", webfetch: "deny" } : {};
  return {
    autoupdate: false,
    share: "disabled",
    snapshot: false,
    // A permission that would have to be asked for ends the session silently; a denied one does not.
    permission: { ...forbidden, external_directory: "deny", skill: trial.realistic ? undefined : BUNDLED },
    ...models(trial),
  };
}

function models({ endpoint, model, keys, login }: TrialSetup) {
  if (endpoint === undefined) return { model };
  return login === undefined ? gateway(endpoint, model, keys) : moved(endpoint, model);
}

/** A login is stored under its provider's name and works for no other. */
function moved(endpoint: string, model: string) {
  const [provider = ""] = model.split("/");
  return {
    enabled_providers: [provider],
    model,
    small_model: model,
    provider: { [provider]: { options: { baseURL: endpoint } } },
  };
}

function gateway(endpoint: string, model: string, keys: Record<string, string>) {
  const name = `gateway/${model}`;
  const options = { baseURL: endpoint, apiKey: keys["OPENAI_API_KEY"] ?? Object.values(keys)[0] ?? "none" };
  const models = { [model]: { name: model, tool_call: true, limit: { context: 200_000, output: 8_000 } } };
  return {
    enabled_providers: ["gateway"],
    model: name,
    small_model: name,
    provider: { gateway: { npm: "@ai-sdk/openai-compatible", name: "gateway", options, models } },
  };
}

function plugin(home: string): { config: { plugin: string[] }; files: NonNullable<LaunchPlan["files"]> } {
  return {
    config: { plugin: [pathToFileURL(join(home, PLUGIN)).href] },
    files: [
      { path: PLUGIN, content: source(join(home, SYSTEM)) },
      // With a plugin, OpenCode waits for a package from npm that plugins import. Ours imports nothing, so this
      // pretends that the package is installed.
      {
        path: `${CONFIG}/package-lock.json`,
        content: JSON.stringify({ packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } }),
      },
      { path: `${CONFIG}/node_modules/.keep`, content: "" },
    ],
  };
}

function source(systemFile: string): string {
  return `import { writeFileSync } from "node:fs";

const exists = { flag: "wx" };

export const proctor = async () => ({
  "experimental.chat.system.transform": async (_, { system }) => {
    try {
      writeFileSync(${JSON.stringify(systemFile)}, system.join("\\n"), exists);
    } catch {}
  },
  event: async ({ event }) => {
    const { status, sessionID } = event.properties ?? {};
    if (event.type === "session.status" && status?.type === "retry")
      process.stdout.write(JSON.stringify({ type: "retry", sessionID, attempt: status.attempt, message: status.message, waitMs: status.next - Date.now() }) + "\\n");
  },
});
`;
}
