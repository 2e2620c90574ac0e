import { type Location, lineIndex } from "../../base/index.ts";
import type { Place } from "../../model/index.ts";

export function placeIn(text: string, file: string, { start }: Place): Location {
  return { file, ...lineIndex(text.slice(0, start))(start) };
}
