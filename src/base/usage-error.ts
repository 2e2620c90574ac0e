/** The command cannot do its work as asked: wrong words, wrong configuration, an unreadable place. Exit code 2, no stack. */
export class UsageError extends Error {
  /** One sentence on what to do next. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = "UsageError";
    this.hint = hint;
  }
}
