import type { Library } from "../../../model/index.ts";
import { openSpeaker, type Speaker } from "../../agents/agent-as-judge.ts";
import type { AgentSettings } from "../../agents/cell.ts";
import { removed } from "../../agents/workspace/workspace.ts";
import type { OpenTarget, Target } from "../../target.ts";

export interface CliRole extends Pick<Target, "answers" | "perSkill" | "concurrency" | "batch"> {
  kind: "judge" | "model" | "router";
  did: string;
  options?: Record<string, unknown>;
  asker(speaker: Speaker, library: Library): OpenTarget["ask"];
}

/** An installed CLI as a model, for people with a subscription and no key. */
export async function cliTarget(name: string, settings: AgentSettings, role: CliRole): Promise<Target> {
  const { kind, did, options: own, asker, ...rest } = role;
  const speaker = await openSpeaker(name, settings);
  const { options, ...identity } = speaker.identity;
  const note = `${speaker.title} ${identity.version}, without tools, ${did}; no agent ran`;
  return {
    ...rest,
    id: `${kind}:cli/${name}`,
    kind,
    predicted: false,
    expectedCostUsd: null,
    note: speaker.warning === undefined ? note : `${note}. ${speaker.warning}`,
    identify: async () => ({
      ...identity,
      options: {
        role: kind,
        ...own,
        adapter: options["adapter"],
        use_login: options["use_login"],
        login: options["login"],
      },
    }),
    ...speaker.login,
    open: async (library) => ({ ask: asker(speaker, library), close: removed }),
  };
}
