import type { Skill } from "../model/index.ts";
import { isLonger } from "./sentence-parts.ts";
import { MOST_DESCRIPTION, MOST_NAME } from "./spec/fields.ts";

export type Absence = (skill: Skill) => string | undefined;

export function firstOf(...absences: Absence[]): Absence {
  return (skill) => {
    for (const absence of absences) {
      const why = absence(skill);
      if (why !== undefined) return why;
    }
    return undefined;
  };
}

export const withoutDescription: Absence = ({ card }) =>
  card.description === "" ? "it has no description" : undefined;

export const withByteOrderMark: Absence = ({ reading }) =>
  reading?.bom ? "its file starts with a byte order mark" : undefined;

export const withLongName: Absence = ({ name }) =>
  isLonger(name, MOST_NAME) ? `its name is longer than ${MOST_NAME} characters` : undefined;

export const withLongDescription: Absence = ({ card }) =>
  isLonger(card.description, MOST_DESCRIPTION)
    ? `its description is longer than ${MOST_DESCRIPTION} characters`
    : undefined;

export const withPaths: Absence = ({ frontmatter }) =>
  frontmatter["paths"] ? "paths: it is listed only after a matching file was touched" : undefined;

export const withBrokenFrontmatter: Absence = ({ problems }) =>
  problems.some(({ code }) => code === "skill/invalid-frontmatter") ? "its frontmatter is not valid YAML" : undefined;

export const switchedOff: Absence = ({ modelInvocable }) => (modelInvocable ? undefined : "disable-model-invocation");

export function firstParagraph(body: string): string {
  const [first = ""] = body.trim().split(/\r?\n\s*\r?\n/, 1);
  return first.replace(/^#+\s*/, "").trim();
}
