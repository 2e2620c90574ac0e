import type { Speaker } from "../../agents/agent-as-judge.ts";
import { withEarlier } from "../../agents/ask-cell.ts";
import type { AgentSettings } from "../../agents/cell.ts";
import type { Target } from "../../target.ts";
import type { Reply } from "../call.ts";
import { answer, judgeConversation, PROMPT_VERSION, twiceIfUnreadable } from "../target.ts";
import { cliTarget } from "./cli-target.ts";

/** `judge:cli/claude:haiku`: the judge through an installed CLI, for people with a subscription and no key. */
export function cliJudge(name: string, settings: AgentSettings): Promise<Target> {
  return cliTarget(name, settings, {
    kind: "judge",
    perSkill: true,
    answers: { trigger: true, case: "a judge decides only triggers" },
    did: "read one skill's card and said yes or no",
    options: { promptVersion: PROMPT_VERSION },
    asker:
      (speaker, library) =>
      async (ask, { signal, timeoutMs }) => {
        const conversation = judgeConversation(ask, library);
        const prompt = withEarlier({ ...ask, prompt: conversation.prompt });
        const words = { system: conversation.system, prompt, signal, timeoutMs };
        const bill = new Bill();
        return answer(await twiceIfUnreadable(() => hear(speaker, words, bill), conversation), undefined, bill.total);
      },
  });
}

class Bill {
  total: { usd: number; estimated: boolean } | undefined;

  add(usd: number | undefined, estimated = false): void {
    if (usd === undefined) return;
    this.total = { usd: (this.total?.usd ?? 0) + usd, estimated: estimated || (this.total?.estimated ?? false) };
  }
}

async function hear(speaker: Speaker, words: Parameters<Speaker["say"]>[0], bill: Bill): Promise<Reply> {
  const { outcome, finalText, usage, costUsd, costEstimated } = await speaker.say(words);
  bill.add(costUsd, costEstimated);
  const counted = usage && { usage };
  return outcome.status === "error"
    ? { status: "error", error: outcome.error, ...counted }
    : { status: "text", text: finalText, ...counted };
}
