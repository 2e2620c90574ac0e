import { count } from "../../base/index.ts";
import { comment } from "../text/comment.ts";
import { asCode } from "../text/markdown.ts";
import { type Checked, counts, shownPath } from "./checked.ts";

export function checkMarkdown(checked: Checked): string {
  const { errors, warnings } = counts(checked.problems);
  const shown = checked.problems.filter(({ severity }) => severity !== "info").slice(0, 40);
  const more = errors + warnings - shown.length;
  return comment([
    `${errors > 0 ? "❌" : warnings > 0 ? "⚠️" : "✅"} **${count(errors, "error")}, ${count(warnings, "warning")}** in ${count(checked.skills, "skill")} and ${count(checked.suites, "suite")}`,
    "",
    ...shown.map(
      ({ location, severity, code, message }) =>
        `- ${severity} ${asCode(`${shownPath(location.file, checked.cwd)}:${location.line ?? 1}`, 120)} ${asCode(code, 60)} ${asCode(message, 200)}`,
    ),
    ...(more > 0 ? [`- … and ${more} more`] : []),
  ]);
}
