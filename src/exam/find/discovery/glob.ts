import { globMatcher } from "../../../base/index.ts";

/** Matches POSIX paths relative to the root. The glob of a folder also matches everything below it. */
export function memberMatcher(globs: readonly string[]): (path: string) => boolean {
  const normal = globs
    .map((glob) => glob.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, ""))
    .map((glob) => (glob === "." ? "" : glob));
  const all = normal.some((glob) => /^\**$/.test(glob));
  // `dot`, because skills often are in hidden folders such as `.claude/skills`.
  const matchers = normal
    .filter((glob) => glob !== "")
    .flatMap((glob) => [glob, `${glob}/**`].map((one) => globMatcher(one, { dot: true })));
  return (path) => all || (path !== "" && matchers.some((matches) => matches(path)));
}
