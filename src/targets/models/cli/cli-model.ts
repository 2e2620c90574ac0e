import type { TrialEvent } from "../../../model/index.ts";
import { unsaid } from "../../agents/agent-as-judge.ts";
import { withEarlier } from "../../agents/ask-cell.ts";
import type { AgentSettings } from "../../agents/cell.ts";
import type { Target } from "../../target.ts";
import { cliTarget } from "./cli-target.ts";

export function cliModel(name: string, settings: AgentSettings): Promise<Target> {
  return cliTarget(name, settings, {
    kind: "model",
    answers: { trigger: "it is shown no cards, so it answers only cases", case: true },
    did: "answered the prompt in one turn",
    asker:
      (speaker) =>
      async (ask, { signal, timeoutMs }) => {
        const said = await speaker.say({ system: "", prompt: withEarlier(ask), signal, timeoutMs });
        const { finalText, usage, costUsd, costEstimated } = said;
        const error = unsaid(said);
        const end: TrialEvent = {
          type: "end",
          how: error === undefined ? "completed" : "error",
          error,
          usage,
          costUsd,
          costEstimated,
        };
        const words: TrialEvent[] = error === undefined ? [{ type: "text", turn: 1, text: finalText }] : [];
        return { events: [...words, end], dispose: async () => {} };
      },
  });
}
