import { withEarlier } from "../../agents/sitting.ts";
import { openSpeaker, type Speaker } from "../../agents/speaker.ts";
import type { AgentSettings } from "../../agents/target.ts";
import { removed } from "../../agents/workspace/workspace.ts";
import type { Asking, Target } from "../../target.ts";
import type { Reply } from "../call.ts";
import { answer, judgeConversation, PROMPT_VERSION, twiceIfUnreadable } from "../target.ts";

/** `judge:cli/claude:haiku`: the yes/no judge through an installed CLI without tools, for people with a subscription and no key. */
export async function cliJudge(name: string, settings: AgentSettings): Promise<Target> {
  const speaker = await openSpeaker(name, settings);
  const { options, ...identity } = speaker.identity;
  const note = `${speaker.title} ${identity.version}, without tools, read one skill's card and said yes or no; no agent ran`;
  return {
    id: `judge:cli/${name}`,
    kind: "judge",
    predicted: false,
    perSkill: true,
    answers: { trigger: true, case: "a judge decides only triggers" },
    expectedCostUsd: null,
    note: speaker.warning === undefined ? note : `${note}. ${speaker.warning}`,
    identify: async () => ({
      ...identity,
      options: {
        role: "judge",
        promptVersion: PROMPT_VERSION,
        adapter: options["adapter"],
        use_login: options["use_login"],
        ...(options["login"] !== undefined && { login: options["login"] }),
      },
    }),
    ...speaker.login,
    open: async (library) => ({
      async ask(ask, asking) {
        const conversation = judgeConversation(ask, library);
        const words = { system: conversation.system, prompt: withEarlier({ ...ask, prompt: conversation.prompt }) };
        const bill = new Bill();
        return answer(await twiceIfUnreadable(() => hear(speaker, words, asking, bill), conversation), undefined, bill.total);
      },
      close: removed,
    }),
  };
}

class Bill {
  total: { usd: number; estimated: boolean } | undefined;

  add(usd: number | undefined, estimated = false): void {
    if (usd === undefined) return;
    this.total = { usd: (this.total?.usd ?? 0) + usd, estimated: estimated || (this.total?.estimated ?? false) };
  }
}

async function hear(speaker: Speaker, words: { system: string; prompt: string }, asking: Asking, bill: Bill): Promise<Reply> {
  const { signal, timeoutMs } = asking;
  const { outcome, finalText, usage, costUsd, costEstimated } = await speaker.say({ ...words, signal, timeoutMs });
  bill.add(costUsd, costEstimated);
  const counted = usage && { usage };
  return outcome.status === "error"
    ? { status: "error", error: outcome.error, ...counted }
    : { status: "text", text: finalText, ...counted };
}
