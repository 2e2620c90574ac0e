import { UsageError } from "../../base/index.ts";
import type { RecordSource } from "../../history/index.ts";
import type { RenderOptions } from "../reporter.ts";

/** The record, for a reporter that cannot do without it. */
export function requireSource(name: string, { source }: RenderOptions): RecordSource {
  if (source !== undefined) return source;
  throw new UsageError(
    `The reporter ${name} needs the record, not just its scores.`,
    "Pass it as `source`: recordSource(place).",
  );
}
