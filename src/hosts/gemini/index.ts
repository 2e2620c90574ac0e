import type { Host } from "../host.ts";
import { firstOf, withByteOrderMark, withoutDescription } from "../why-unlisted.ts";

export const gemini: Host = {
  id: "gemini",
  title: "Gemini CLI",
  card: { absence: firstOf(withByteOrderMark, withoutDescription), name: ({ name }) => withoutSeparators(name) },
  lint: {
    longDescription: "shown",
    withoutDescription: "dropped",
    calledBy: "name",
    oddName: ({ name }) =>
      withoutSeparators(name) === name ? { does: "takes it" } : { does: "renames", to: withoutSeparators(name) },
    byteOrderMark: "dropped",
    invalidYaml: { colon: "loaded", other: "loaded" },
    skillFolders: { ".agents": "one level", ".gemini": "one level" },
    disableModelInvocation: "ignored",
  },
  folders: [".gemini"],
  ownFiles: {
    paths: [".gemini", ".agents", "GEMINI.md", "gemini-extension.json", "/.env"],
    source:
      "geminicli.com/docs: reference/configuration (settings, and the .env it takes variables from), hooks, extensions, skills, custom commands",
  },
  agent: { id: "gemini", takesUp: [".gemini", "GEMINI.md"], load: async () => (await import("./adapter.ts")).adapter },
};

function withoutSeparators(name: string): string {
  return name.replace(/[:/\\]/g, "-");
}
