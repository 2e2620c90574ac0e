/** Whether a path with forward slashes matches a glob: `*`, `**`, `?` and `{a,b}`. A folder's glob also matches all below it. */
export function matchesGlob(path: string, glob: string): boolean {
  return new RegExp(`^${pattern(normal(glob))}(?:/.*)?$`, "u").test(path);
}

function normal(glob: string): string {
  const path = glob.replace(/^\.\//, "").replace(/\/+$/, "");
  return path === "" || path === "." ? "**" : path;
}

function pattern(glob: string): string {
  let braces = 0;
  return (
    glob.replace(/\*\*\/|\*\*|\*|\?|[{},]|[^*?{},]+/g, (token) => {
      if (token === "**/") return "(?:.*/)?";
      if (token === "**") return ".*";
      if (token === "*") return "[^/]*";
      if (token === "?") return "[^/]";
      if (token === "{" && ++braces) return "(?:";
      if (token === "}" && braces > 0 && braces--) return ")";
      if (token === "," && braces > 0) return "|";
      return token.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    }) + ")".repeat(braces)
  );
}
