import type { TrialEvent } from "../../../transcripts/index.ts";
import { withEarlier } from "../../agents/sitting.ts";
import { openSpeaker, unsaid } from "../../agents/speaker.ts";
import type { AgentSettings } from "../../agents/target.ts";
import { removed } from "../../agents/workspace/workspace.ts";
import type { Target } from "../../target.ts";

/** `model:cli/claude`: a case's prompt in one plain turn of an installed CLI, without tools or skills, for people with a subscription and no key. */
export async function cliModel(name: string, settings: AgentSettings): Promise<Target> {
  const speaker = await openSpeaker(name, settings);
  const { options, ...identity } = speaker.identity;
  const note = `${speaker.title} ${identity.version}, without tools, answered the prompt in one turn; no agent ran`;
  return {
    id: `model:cli/${name}`,
    kind: "model",
    predicted: false,
    answers: { trigger: "it is shown no cards, so it answers only cases", case: true },
    expectedCostUsd: null,
    note: speaker.warning === undefined ? note : `${note}. ${speaker.warning}`,
    identify: async () => ({
      ...identity,
      options: {
        role: "model",
        adapter: options["adapter"],
        use_login: options["use_login"],
        ...(options["login"] !== undefined && { login: options["login"] }),
      },
    }),
    ...speaker.login,
    open: async () => ({
      async ask(ask, { signal, timeoutMs }) {
        const said = await speaker.say({ system: "", prompt: withEarlier(ask), signal, timeoutMs });
        const { finalText, usage, costUsd, costEstimated } = said;
        const error = unsaid(said);
        const end: TrialEvent = { type: "end", how: error === undefined ? "completed" : "error", error, usage, costUsd, costEstimated };
        const words: TrialEvent[] = error === undefined ? [{ type: "text", turn: 1, text: finalText }] : [];
        return { events: [...words, end], dispose: async () => {} };
      },
      close: removed,
    }),
  };
}
