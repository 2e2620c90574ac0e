import { text } from "../documents/index.ts";
import type { Row } from "./collect.ts";
import { nameStrength, normalKey, triggerKey } from "./label-words.ts";

const outcomes =
  /^(?:hits|trigger_(?:rate|count)|(?:did|was)_\w+|triggered|triggered_skills?|passed|pass|is_correct|got|(?:actual|observed|predicted|chosen|selected|routed|invoked|activated|loaded|fired)(?:_\w+)?|avg_run_seconds|latency(?:_\w+)?|duration(?:_\w+)?)$/;

export function isOutcomeKey(key: string): boolean {
  return outcomes.test(key);
}

export function isTranscript(rows: Row[]): boolean {
  return rows.every(({ map }) =>
    map.entries.some(
      ({ key, value }) =>
        /^(?:role|type|from|speaker)$/.test(key) && /^(?:user|human|assistant|system|tool)$/i.test(text(value) ?? ""),
    ),
  );
}

/** Results repeat the questions they answer, but are not a suite. */
export function areResults(rows: Row[]): boolean {
  const answered = rows.filter(
    (row) =>
      row.map.entries.some((entry) => isOutcomeKey(normalKey(entry.key))) &&
      row.map.entries.some(
        (entry) => triggerKey(normalKey(entry.key)) !== undefined || nameStrength(normalKey(entry.key)) !== undefined,
      ),
  );
  return answered.length > rows.length / 2;
}
