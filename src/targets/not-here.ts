import { UsageError } from "../base/index.ts";
import type { Identity } from "../model/index.ts";

/** The target exists, but this machine lacks something for it: an installed CLI, or a key. */
export class NotHere extends UsageError {
  readonly key: string | undefined;
  readonly identity: Pick<Identity, "host" | "provider" | "model"> | undefined;
  readonly reportsCost: boolean;

  constructor(
    message: string,
    hint: string,
    { key, identity, reportsCost = false }: Partial<Pick<NotHere, "key" | "identity" | "reportsCost">>,
  ) {
    super(message, hint);
    this.key = key;
    this.identity = identity;
    this.reportsCost = reportsCost;
  }
}
