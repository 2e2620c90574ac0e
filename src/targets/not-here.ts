import { UsageError } from "../base/index.ts";
import type { Identity } from "../model/index.ts";

/** There is such a target, but this machine lacks something for it: a CLI that is not installed, or a key. */
export class NotHere extends UsageError {
  /** The variable that would hold the key. */
  readonly key: string | undefined;
  /** What is known of a CLI all the same. */
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
