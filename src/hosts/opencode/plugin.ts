import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { LaunchPlan } from "../adapter.ts";

export const SYSTEM = "proctor/system.txt";

const PLUGIN = "proctor/plugin.js";
const CONFIG = ".config/opencode";

export function plugin(home: string): { config: { plugin: string[] }; files: NonNullable<LaunchPlan["files"]> } {
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
