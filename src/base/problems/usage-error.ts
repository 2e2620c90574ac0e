/**
 * The command cannot do its work as asked: wrong arguments, wrong configuration, an unreadable place. Shown without a
 * stack.
 */
export class UsageError extends Error {
  /** One sentence on what to do next. */
  readonly hint: string | undefined;
  /** Default: 2. 3 if there was nothing to work on, 0 if that is fine. */
  readonly exitCode: 0 | 2 | 3;

  constructor(message: string, hint?: string, exitCode: 0 | 2 | 3 = 2) {
    super(message);
    this.name = "UsageError";
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

export function withWayOut(error: unknown, way: string): unknown {
  if (!(error instanceof UsageError)) return error;
  return new UsageError(
    error.message,
    [error.hint, way].filter((part) => part !== undefined).join("\n  "),
    error.exitCode,
  );
}
