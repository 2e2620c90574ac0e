/**
 * Runs a parser that creates an error object per fault. Nobody needs their stacks, and collecting them would dominate
 * the time for a file full of faults.
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
