import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { LaunchPlan } from "../adapter.ts";

/** Where the plugin writes the system prompt of the first request. Relative to HOME. */
export const SYSTEM = "proctor/system.txt";

const PLUGIN = "proctor/plugin.js";
const CONFIG = ".config/opencode";

/** What makes it tell the two things that its stdout lacks: the system prompt it sends, and that it tries again. */
export function plugin(home: string): { config: { plugin: string[] }; files: NonNullable<LaunchPlan["files"]> } {
  return {
    config: { plugin: [pathToFileURL(join(home, PLUGIN)).href] },
    files: [
      { path: PLUGIN, content: source(join(home, SYSTEM)) },
      // With a plugin it waits for a package from npm, for the plugin to import; ours imports none, so it is told that the package is there.
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
