import type { Skill } from "../model/index.ts";
import { hostOf } from "./find-host.ts";
import type { Host, HostId } from "./host.ts";

export type CardOnHost = { status: "listed"; name: string; description: string } | { status: "absent"; why: string };

export function cardOnHost(skill: Skill, host: HostId): CardOnHost {
  return cardOf(skill, hostOf(host));
}

export function cardOf(skill: Skill, { card }: Host): CardOnHost {
  const why = unread(skill) ?? card.absence(skill);
  if (why !== undefined) return { status: "absent", why };
  return {
    status: "listed",
    name: card.name?.(skill) ?? skill.name,
    description: card.description?.(skill) ?? skill.card.description,
  };
}

function unread(skill: Skill): string | undefined {
  if (skill.source.kind === "eva") return "a prompt folder, not a skill";
  return skill.reading === undefined ? "its file cannot be read" : undefined;
}
