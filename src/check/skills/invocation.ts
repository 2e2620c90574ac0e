import { type Problem, problemsBy } from "../../base/index.ts";
import { type AskedHosts, hostRules, type LintFacts, some } from "../../hosts/index.ts";
import type { Library } from "../../model/index.ts";
import { keyAt } from "../places.ts";
import { told } from "./effects.ts";

const problem = problemsBy(hostRules);

export function lintInvocation({ skills }: Library, { hosts }: AskedHosts): Problem[] {
  const off = skills.filter(({ source, modelInvocable }) => source.kind === "skill" && !modelInvocable);
  const who = (what: LintFacts["disableModelInvocation"]) =>
    hosts.filter(({ lint }) => lint.disableModelInvocation === what);
  const honouring = who("honoured");
  const [first] = off;
  if (first === undefined || honouring.length === 0) return [];
  const them = off.length === 1 ? "it" : "them";
  const effects = told([
    [honouring, `does not tell the model about ${them}`, `do not tell the model about ${them}`],
    [who("ignored"), `ignores the key and lists ${them}`, `ignore the key and list ${them}`],
  ]);
  const count = off.length === 1 ? "1 skill is" : `${off.length} skills are`;
  return [
    problem("skill/model-invocation-off", {
      message: `${count} switched off for models by disable-model-invocation: ${some(off.map(({ id }) => id))}. ${effects}`,
      fix: "Nothing, if that is intended. No trigger question can pass for such a skill where the key counts.",
      location: keyAt(first, "disable-model-invocation"),
    }),
  ];
}
