import type { Skill } from "../../skills/index.ts";
import { firstOf, firstParagraph, switchedOff, withBrokenFrontmatter, withLongDescription, withLongName } from "../absences.ts";
import type { Host, OddName } from "../host.ts";
import { MOST_DESCRIPTION } from "../spec/limits.ts";
import { listing } from "./listing.ts";

export const copilot: Host = {
  id: "copilot",
  title: "Copilot CLI",
  card: {
    absence: firstOf(
      ({ frontmatter }) => (Object.keys(frontmatter).length === 0 ? "it has no frontmatter" : undefined),
      ({ reading }) => ((reading?.repairs.length ?? 0) > 0 ? "its frontmatter is not valid YAML" : undefined),
      withBrokenFrontmatter,
      withLongDescription,
      withLongName,
      ({ name }) => (dropsName(name) ? `Copilot CLI drops names like ${name}` : undefined),
      switchedOff,
    ),
    name: ({ name }) => hyphenated(name),
    description: ({ card, body }) => (card.description === "" ? firstParagraph(body).split("\n", 1)[0]! : card.description),
  },
  listing,
  lint: {
    longDescription: { most: MOST_DESCRIPTION, are: "dropped" },
    withoutDescription: "replaced by the body",
    name: { tooLong: "dropped" },
    calledBy: "name",
    oddName,
    byteOrderMark: "loaded",
    invalidYaml: { colon: "dropped", other: "dropped" },
    brokenFrontmatter: "dropped",
    skillFolders: { ".claude": "any depth", ".agents": "any depth" },
    disableModelInvocation: "honoured",
  },
  fields: {
    "disable-model-invocation": { kind: "boolean", triggering: "the model is not told of the skill" },
    "user-invocable": { kind: "boolean", triggering: "nothing" },
    "argument-hint": { kind: "any", triggering: "nothing" },
  },
  agent: {
    id: "copilot",
    takesUp: [".copilot", ".github", ".vscode/mcp.json"],
    load: async () => (await import("./adapter.ts")).adapter,
  },
};

function oddName({ name }: Skill): OddName {
  if (dropsName(name)) return { does: "drops" };
  return name.includes(" ") ? { does: "renames", to: hyphenated(name) } : { does: "takes it" };
}

function dropsName(name: string): boolean {
  return !/^[a-z0-9][a-z0-9._: -]*$/i.test(name);
}

function hyphenated(name: string): string {
  return name.replaceAll(" ", "-");
}
