import type { Host } from "../../../src/hosts/host.ts";
import { firstOf, withByteOrderMark, withoutDescription } from "../../../src/hosts/why-unlisted.ts";

/** An invented host: what a folder of a host holds. Nothing but the list names it. */
export const acme: Host = {
  id: "acme-cli",
  title: "Acme CLI",
  card: { absence: firstOf(withByteOrderMark, withoutDescription), name: ({ name }) => name.toUpperCase() },
  listing: {
    // Two descriptions whole, the others not at all.
    fit: (candidates, { model = "small" }) => ({
      model,
      budget: { characters: 200, how: "for two descriptions" },
      used: 0,
      entries: candidates.map(({ skill, description }, index) =>
        index < 2
          ? { skill: skill.id, shown: "whole", characters: description.length }
          : { skill: skill.id, shown: "bare", characters: 0, why: "two are enough", overBudget: true },
      ),
    }),
  },
  lint: {
    byteOrderMark: "dropped",
    calledBy: "name",
    skillFolders: { ".acme": "one level" },
    own: (skills) =>
      skills
        .filter(({ frontmatter }) => frontmatter["mood"] === "bad")
        .map((skill) => ({
          code: "skill/wrong-type" as const,
          message: "Acme CLI wants a good mood.",
          fix: "Cheer up.",
          skill,
          at: { value: "mood" },
        })),
  },
  fields: { mood: { kind: "text", triggering: "nothing" } },
  folders: [".acme"],
  agent: { id: "acme", judges: true, takesUp: ["ACME.md"], load: async () => (await import("./adapter.ts")).adapter },
};
