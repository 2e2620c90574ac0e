import picomatch from "picomatch";

/** Whether a path with forward slashes is one that a glob means, relative to the same root. A folder's glob also matches all below it. */
export function globMatcher(globs: readonly string[]): (path: string) => boolean {
  const normal = globs.map((glob) => glob.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "")).map((glob) => (glob === "." ? "" : glob));
  const all = normal.some((glob) => /^\**$/.test(glob));
  // A skill's folder may well be hidden: `.claude/skills`.
  const matches = picomatch(
    normal.filter((glob) => glob !== "").flatMap((glob) => [literalSigns(glob), `${literalSigns(glob)}/**`]),
    { dot: true },
  );
  return (path) => all || (path !== "" && matches(path));
}

/** In a folder's name these are letters like any other; picomatch would take them for a regular expression's. */
function literalSigns(glob: string): string {
  return glob.replace(/[()+|^$]/g, "\\$&");
}
