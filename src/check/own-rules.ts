import { type Location, type Problem, problemsBy } from "../base/index.ts";
import { type AskedHosts, type Finding, hostRules } from "../hosts/index.ts";
import type { Library } from "../model/index.ts";
import { at, keyAt, valueAt } from "./places.ts";

const problem = problemsBy(hostRules);

export function lintOwnRules({ skills }: Library, asked: AskedHosts): Problem[] {
  const own = skills.filter(({ source }) => source.kind === "skill");
  return asked.hosts.flatMap(({ lint }) =>
    (lint.own?.(own, asked) ?? []).map((finding) => {
      const { code, severity, message, fix } = finding;
      return problem(code, { severity, message, fix, location: placeOf(finding) });
    }),
  );
}

function placeOf({ skill, at: place }: Finding): Location {
  if (place === undefined) return at(skill);
  if ("file" in place) return place;
  return "key" in place ? keyAt(skill, place.key) : valueAt(skill, place.value);
}
