import { UsageError } from "../base/index.ts";

/** There is such a target, but this machine lacks something for it: a CLI that is not installed, or a key. */
export class NotHere extends UsageError {
  /** The variable that would hold the key. */
  readonly key: string | undefined;

  constructor(message: string, hint?: string, key?: string) {
    super(message, hint);
    this.key = key;
  }
}
