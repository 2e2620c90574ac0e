import { globMatcher } from "../../../base/index.ts";

/** Matches posix paths relative to the same root. A folder's glob also matches everything below it. */
export function memberMatcher(globs: readonly string[]): (path: string) => boolean {
  const normal = globs
    .map((glob) => glob.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, ""))
    .map((glob) => (glob === "." ? "" : glob));
  const all = normal.some((glob) => /^\**$/.test(glob));
  // A skill's folder may well be hidden: `.claude/skills`.
  const matchers = normal
    .filter((glob) => glob !== "")
    .flatMap((glob) => [glob, `${glob}/**`].map((one) => globMatcher(one, { dot: true })));
  return (path) => all || (path !== "" && matchers.some((matches) => matches(path)));
}
