import type { PageDiff } from "../page-data.ts";
import { diffOf } from "./diff.ts";

const AROUND = 3;

export function fileDiff(before: string, after: string, room: number): PageDiff {
  const parts = diffOf(linesOf(before), linesOf(after));
  const hunks: PageDiff["hunks"] = [];
  let [from, to, left, leftOff] = [1, 1, room, 0];
  let hunk: PageDiff["hunks"][number] | undefined;
  const add = (sign: string, line: string) => {
    if (line.length + 1 > left) {
      leftOff++;
      return;
    }
    left -= line.length + 1;
    if (hunk === undefined) {
      hunk = { before: from, after: to, lines: [] };
      hunks.push(hunk);
    }
    hunk.lines.push(`${sign}${line}`);
  };
  parts.forEach(({ type, items }, at) => {
    items.forEach((line, place) => {
      const isNear = (at > 0 && place < AROUND) || (at < parts.length - 1 && place >= items.length - AROUND);
      if (type !== "same") add(type === "in" ? "+" : "-", line);
      else if (isNear) add(" ", line);
      else hunk = undefined;
      if (type !== "in") from++;
      if (type !== "out") to++;
    });
  });
  return { hunks, leftOff };
}

/** A trailing line break ends the last line and does not start a new one. */
function linesOf(text: string): string[] {
  if (text === "") return [];
  return text.replace(/\n$/, "").split("\n");
}
