import type { Check, GraderSpec, Judge } from "../grader.ts";

/** Graders that ask a judge; their configuration may name its `model`. */
export function needsJudge({ type }: GraderSpec): boolean {
  return type === "rubric" || type === "llm";
}

/** Asks a judge until its reply can be read, twice at most. */
export async function askJudge<T>(
  judge: Judge,
  request: Parameters<Judge>[0],
  parse: (reply: string) => T | null,
): Promise<{ status: "read"; value: T } | { status: "unreadable"; reply: string }> {
  let reply = "";
  for (let attempt = 0; attempt < 2; attempt++) {
    reply = (await judge(request)).text;
    const value = parse(reply);
    if (value !== null) return { status: "read", value };
  }
  return { status: "unreadable", reply };
}

/** With no judge, or none whose reply can be read, a check is skipped; it neither fails nor passes. */
export function unjudged(why: { reply: string } | "no judge"): Check {
  const message =
    why === "no judge"
      ? "It needs a judge, and none is set: --judge MODEL, or judge.model or defaults.model in the suite"
      : `The judge's reply could not be read, twice: ${JSON.stringify(why.reply.slice(0, 200))}`;
  return { passed: null, score: null, message };
}
