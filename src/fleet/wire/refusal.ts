/** Why Redis refused one of these commands, in its own words; undefined when it took them all. */
export function refusalIn(answers: readonly [error: Error | null, result: unknown][] | null): string | undefined {
  const [error] = answers?.find(([fault]) => fault !== null) ?? [];
  return error?.message.split("\n")[0]?.replace(/\.$/, "");
}
