import { type CardOnHost, cardOnHost } from "../card-on-host.ts";
import type { HostId } from "../hosts.ts";
import type { Library, Skill } from "../skill.ts";
import { claudeCodeListing } from "./claude-code.ts";
import { codexListing } from "./codex.ts";
import { copilotListing } from "./copilot.ts";

export interface Listed {
  /** The skill's id. */
  skill: string;
  shown: "whole" | "cut" | "bare" | "absent";
  /** Characters of its description that are shown. */
  characters: number;
  why?: string;
  /** The library is too large for the host; the skill itself is fine. */
  overBudget?: true;
}

/** What a host will show a model of a library. */
export interface Listing {
  host: HostId;
  model: string;
  /** Worked out from the host's rules as they were observed, not seen in a run. */
  computed: true;
  /** null: the host was seen to list everything. */
  budget: { characters: number | null; how: string };
  used: number;
  entries: Listed[];
}

/** A card on its way into a listing. */
export interface Candidate {
  skill: Skill;
  name: string;
  description: string;
}

export type Fitted = Omit<Listing, "host" | "computed" | "entries"> & { entries: Listed[] };

/** Works out what a host shows a model of the skills in a library, in the host's order; what is not listed comes last, with the reason. */
export function listing(library: Library, host: HostId, options: { model?: string } = {}): Listing {
  const candidates: Candidate[] = [];
  const absent: Listed[] = [];
  for (const skill of library.skills) {
    const card: CardOnHost = cardOnHost(skill, host);
    if (card.status === "absent") absent.push({ skill: skill.id, shown: "absent", characters: 0, why: card.why });
    else candidates.push({ skill, name: card.name, description: card.description });
  }
  candidates.sort((a, b) => compare(a.name.toLowerCase(), b.name.toLowerCase()) || compare(a.skill.id, b.skill.id));
  const fitted = fitTo(candidates, host, options.model);
  return { host, computed: true, ...fitted, entries: [...fitted.entries, ...absent] };
}

function fitTo(candidates: Candidate[], host: HostId, model: string | undefined): Fitted {
  switch (host) {
    case "claude-code":
      return claudeCodeListing(candidates, model);
    case "codex":
      return codexListing(candidates, model);
    case "copilot":
      return copilotListing(candidates, model);
    default:
      return everything(candidates, model);
  }
}

function everything(candidates: Candidate[], model = ""): Fitted {
  const entries = candidates.map(({ skill, description }): Listed => ({ skill: skill.id, shown: "whole", characters: description.length }));
  const used = candidates.reduce((sum, { name, description }) => sum + name.length + description.length, 0);
  return { model, budget: { characters: null, how: "no limit was seen: every description is listed whole" }, used, entries };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
