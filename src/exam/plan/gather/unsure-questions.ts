import { makeAsk } from "../../../formats/index.ts";
import { gradeTrigger } from "../../../graders/index.ts";
import type { Library } from "../../../model/index.ts";
import { foldEvents } from "../../../model/index.ts";
import { loadEmbedded, type Target } from "../../../targets/index.ts";
import { resolveQuestion } from "../questions/resolve-question.ts";
import type { SuiteQuestion } from "../questions/select.ts";

/** The triggers that the embedded target cannot tell, as it is asked beside the others or as it is: what is left for an examinee that costs something. */
export async function unsureQuestions(
  all: readonly SuiteQuestion[],
  library: Library,
  embedded: Target | undefined,
): Promise<ReadonlySet<string>> {
  const { embeddedTarget } = await loadEmbedded();
  const sitting = await (embedded ?? embeddedTarget("")).open(library);
  const locked = new Set(library.skills.filter(({ modelInvocable }) => !modelInvocable).map(({ id }) => id));
  const unsure = new Set<string>();
  for (const { question, id } of all) {
    const { expect, invalid, skill } = resolveQuestion(question, library);
    if (question.kind !== "trigger" || expect === undefined || invalid !== undefined) continue;
    // Nobody is shown a skill that no model may activate, so nobody knows more about it.
    if ([skill, ...expect.required_skills, ...expect.forbidden_skills].some((id) => id !== undefined && locked.has(id)))
      continue;
    const asking = { run: 1, signal: new AbortController().signal, decided: () => false };
    const { events } = await sitting.ask(makeAsk(question, library), asking);
    if (gradeTrigger(expect, await foldEvents(events)).passed === null) unsure.add(id);
  }
  return unsure;
}
