import type { Check } from "../../model/index.ts";
import { notMade } from "../checks.ts";
import type { Judge, JudgeRequest } from "../grader.ts";
import { saidText } from "./said-text.ts";

export async function askJudge<T>(
  judge: Judge,
  request: Omit<JudgeRequest, "attempt">,
  parse: (said: string) => T | null,
): Promise<{ status: "read"; value: T } | { status: "unreadable"; reply: string }> {
  let text = "";
  for (let attempt = 0; attempt < 2; attempt++) {
    const reply = await judge({ ...request, attempt });
    text = reply.text;
    const value = parse(saidText(text, reply.cut));
    if (value === null) continue;
    reply.keep?.();
    return { status: "read", value };
  }
  return { status: "unreadable", reply: text };
}

export function unjudged(why: { reply: string } | "no judge"): Check {
  const message =
    why === "no judge"
      ? "It needs a judge, and none is set: --judge MODEL, or judge.model or defaults.model in the suite"
      : `The judge's reply could not be read, twice: ${JSON.stringify(why.reply.slice(0, 200))}`;
  return notMade(message);
}
