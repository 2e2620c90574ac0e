/**
 * Runs a parser that makes an error object for every fault it finds. Nobody reads where in the parser that was, and a file of faults alone
 * would spend most of its time on finding out.
 */
export function withoutStacks<Result>(parse: () => Result): Result {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return parse();
  } finally {
    Error.stackTraceLimit = before;
  }
}
