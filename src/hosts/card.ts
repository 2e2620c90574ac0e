import { basename } from "node:path";
import { falsy, specFields } from "./frontmatter-fields.ts";
import { type HostId, hostLabels } from "./host.ts";
import type { Skill } from "../skills/skill.ts";

/** What one host knows of a skill before the model activates it, as observed on the real CLIs. */
export type CardOnHost = { status: "listed"; name: string; description: string } | { status: "absent"; why: string };

export const MOST_NAME = 64;
export const MOST_DESCRIPTION = 1024;
/** Claude Code's cap on description and when_to_use together. */
export const MOST_CLAUDE_CODE = 1536;

export function cardOnHost(skill: Skill, host: HostId): CardOnHost {
  const why = absence(skill, host);
  if (why !== undefined) return { status: "absent", why };
  return { status: "listed", name: nameOn(skill, host), description: descriptionOn(skill, host) };
}

/** Characters as people and hosts count them: a surrogate pair is one. */
export function characters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff) count--;
  }
  return count;
}

export function isLonger(text: string, most: number): boolean {
  return text.length > most && characters(text) > most;
}

/** 1,024 */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `XML tags` in the sense of claude.ai. */
export function hasTags(text: string): boolean {
  return /<\/?[a-z][^<>]{0,200}>/i.test(text);
}

export function allowsImplicitInvocation(skill: Skill): boolean {
  const policy = skill.reading?.openai?.["policy"];
  return !(typeof policy === "object" && policy !== null && falsy((policy as Record<string, unknown>)["allow_implicit_invocation"]));
}

function absence(skill: Skill, host: HostId): string | undefined {
  if (skill.source.kind === "eva") return "a prompt folder, not a skill";
  if (skill.reading === undefined) return "its file cannot be read";
  return absences[host](skill);
}

const withoutDescription = (skill: Skill) => (skill.card.description === "" ? "it has no description" : undefined);
const withBom = (skill: Skill) => (skill.reading?.bom ? "its file starts with a byte order mark" : undefined);
const withLongName = (skill: Skill) => (isLonger(skill.name, MOST_NAME) ? `its name is longer than ${MOST_NAME} characters` : undefined);
const withPaths = (skill: Skill) => (skill.frontmatter["paths"] ? "paths: it is listed only after a matching file was touched" : undefined);
const withBrokenHeader = (skill: Skill) =>
  skill.problems.some(({ code }) => code === "skill/invalid-frontmatter") ? "its frontmatter is not valid YAML" : undefined;
const withDroppedName = (host: "copilot" | "qwen") => (skill: Skill) =>
  dropsName(skill.name, host) ? `${hostLabels[host]} drops names like ${skill.name}` : undefined;
const switchedOff = (skill: Skill) => (skill.modelInvocable ? undefined : "disable-model-invocation");

const absences: Record<HostId, (skill: Skill) => string | undefined> = {
  spec: withoutDescription,
  "claude-code": (skill) => {
    if (basename(skill.file) !== "SKILL.md") return "its file is not called SKILL.md";
    return withPaths(skill) ?? switchedOff(skill);
  },
  "claude-ai": (skill) => {
    const extra = Object.keys(skill.frontmatter).find((key) => !specFields.includes(key));
    if (extra !== undefined) return `claude.ai refuses the key ${extra}`;
    if (/anthropic|claude/i.test(skill.name)) return "claude.ai refuses its name";
    if (hasTags(skill.card.description)) return "claude.ai refuses tags in its description";
    return longDescription(skill) ?? withoutDescription(skill);
  },
  codex: (skill) => {
    const hidden = allowsImplicitInvocation(skill) ? undefined : "agents/openai.yaml: allow_implicit_invocation is false";
    return withBom(skill) ?? withoutDescription(skill) ?? withLongName(skill) ?? hidden;
  },
  copilot: (skill) =>
    (Object.keys(skill.frontmatter).length === 0 ? "it has no frontmatter" : undefined) ??
    ((skill.reading?.repairs.length ?? 0) > 0 ? "its frontmatter is not valid YAML" : undefined) ??
    withBrokenHeader(skill) ??
    longDescription(skill) ??
    withLongName(skill) ??
    withDroppedName("copilot")(skill) ??
    switchedOff(skill),
  gemini: (skill) => withBom(skill) ?? withoutDescription(skill),
  // An unquoted colon it mends by itself.
  opencode: (skill) =>
    (skill.reading?.repairs.some(({ why }) => why !== "colon") ? "its frontmatter is not valid YAML" : undefined) ??
    withBrokenHeader(skill) ??
    withoutDescription(skill),
  qwen: (skill) => withDroppedName("qwen")(skill) ?? withoutDescription(skill) ?? withPaths(skill) ?? switchedOff(skill),
};

/** Whether a host drops a skill for the characters of its name. */
export function dropsName(name: string, host: "copilot" | "qwen"): boolean {
  return host === "copilot" ? !/^[a-z0-9][a-z0-9._: -]*$/i.test(name) : /[^\p{L}\p{M}\p{N}_.:-]/u.test(name);
}

function longDescription(skill: Skill): string | undefined {
  return isLonger(skill.card.description, MOST_DESCRIPTION) ? `its description is longer than ${MOST_DESCRIPTION} characters` : undefined;
}

function nameOn(skill: Skill, host: HostId): string {
  if (host === "copilot") return skill.name.replaceAll(" ", "-");
  if (host === "gemini") return skill.name.replace(/[:/\\]/g, "-");
  if (host !== "claude-code") return skill.name;
  if (skill.source.plugin !== undefined) return `${skill.source.plugin}:${skill.name}`;
  const folder = basename(skill.dir);
  return folder === skill.name ? folder : `${folder} (${skill.name})`;
}

function descriptionOn(skill: Skill, host: HostId): string {
  const { description, whenToUse } = skill.card;
  if (host === "claude-code") {
    const whole = [description === "" ? firstParagraph(skill.body) : description, whenToUse].filter(Boolean).join(" - ");
    return oneLine(whole).replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  }
  if (host === "copilot" && description === "") return firstParagraph(skill.body).split("\n", 1)[0]!;
  return description;
}

function oneLine(text: string): string {
  return text.includes("\n") ? text.split(/\s+/).join(" ") : text;
}

function firstParagraph(body: string): string {
  const [first = ""] = body.trim().split(/\r?\n\s*\r?\n/, 1);
  return first.replace(/^#+\s*/, "").trim();
}
