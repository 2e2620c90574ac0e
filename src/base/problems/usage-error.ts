/** The command cannot do its work as asked: wrong arguments, wrong configuration, an unreadable place. Exit code 2 unless it says otherwise; no stack is shown. */
export class UsageError extends Error {
  /** One sentence on what to do next. */
  readonly hint: string | undefined;
  /** 3 where there was nothing to work on, 0 where that is fine. */
  readonly exitCode: 0 | 2 | 3;

  constructor(message: string, hint?: string, exitCode: 0 | 2 | 3 = 2) {
    super(message);
    this.name = "UsageError";
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** The same error, with what can be done without the missing part. */
export function withWayOut(error: unknown, way: string): unknown {
  if (!(error instanceof UsageError)) return error;
  return new UsageError(
    error.message,
    [error.hint, way].filter((part) => part !== undefined).join("\n  "),
    error.exitCode,
  );
}
