import { ownFileLists } from "../../src/hosts/index.ts";

/** The lists as docs/security.md has them. */
export function ownFileTable(): string {
  const rows = ownFileLists().map(
    ({ title, ownFiles: { paths, source } }) =>
      `| ${title.charAt(0).toUpperCase()}${title.slice(1)} | ${paths.map((path) => `\`${path}\``).join(", ")} | ${source} |`,
  );
  return ["| whose | files and folders | known from |", "|---|---|---|", ...rows].join("\n");
}
