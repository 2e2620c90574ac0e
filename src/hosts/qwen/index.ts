import type { Host } from "../host.ts";
import { firstOf, switchedOff, withoutDescription, withPaths } from "../why-unlisted.ts";

export const qwen: Host = {
  id: "qwen",
  title: "Qwen Code",
  onRequest: true,
  card: {
    absence: firstOf(
      ({ name }) => (dropsName(name) ? `Qwen Code drops names like ${name}` : undefined),
      withoutDescription,
      withPaths,
      switchedOff,
    ),
  },
  lint: {
    calledBy: "name",
    oddName: ({ name }) => ({ does: dropsName(name) ? "drops" : "takes it" }),
    byteOrderMark: "loaded",
    invalidYaml: { colon: "loaded", other: "loaded" },
    disableModelInvocation: "honoured",
  },
  fields: { "disable-model-invocation": { kind: "boolean", triggering: "the model is not told about the skill" } },
  folders: [".qwen"],
  ownFiles: {
    paths: [".qwen", ".agents", "QWEN.md", "AGENTS.md", "qwen-extension.json", "/.env"],
    source:
      "qwenlm.github.io/qwen-code-docs: settings (and the .env it takes variables from), hooks, extensions, skills, sub-agents",
  },
  agent: { id: "qwen", takesUp: [".qwen", "QWEN.md"], load: async () => (await import("./adapter.ts")).adapter },
};

function dropsName(name: string): boolean {
  return /[^\p{L}\p{M}\p{N}_.:-]/u.test(name);
}
