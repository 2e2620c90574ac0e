import type { Location } from "../base/index.ts";
import { placeIn } from "../exam/find/index.ts";
import type { Place, Skill } from "../model/index.ts";

export function at({ file, reading }: Skill, place?: Place): Location {
  return reading && place ? placeIn(reading.text, file, place) : { file };
}

/** The opening fence: where to report a missing field. */
export function top({ file }: Skill): Location {
  return { file, line: 1, column: 1 };
}

export function valueAt(skill: Skill, key: string): Location {
  return at(skill, skill.reading?.fields.get(key)?.value);
}

export function keyAt(skill: Skill, key: string): Location {
  return at(skill, skill.reading?.fields.get(key)?.key);
}
