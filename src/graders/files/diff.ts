import { resolve } from "node:path";
import { z } from "zod";
import { isWithin, readBytes, writeFileIn } from "../../base/index.ts";
import type { Check } from "../../model/index.ts";
import { contentOf, type WorkspaceFiles } from "../../model/index.ts";
import { checked, notMade } from "../checks.ts";
import { defineGrader, type GradingContext } from "../grader.ts";
import { insidePath } from "./inside-path.ts";
import { isWorkspace, leftAt, leftIn, textAt } from "./left.ts";

const fragment = z
  .string()
  .refine((written) => written.replace(/^[+-]/, "").trim() !== "", { error: "The line is empty" });

const expected = z
  .strictObject({ path: insidePath, snapshot: z.string().min(1).optional(), contains: z.array(fragment).default([]) })
  .refine(({ snapshot, contains }) => snapshot !== undefined || contains.length > 0, {
    error: "Nothing to compare with: name a snapshot, or contains",
  });

/**
 * waza's `diff`: files must equal a snapshot beside the suite byte for byte, contain fragments (`+text`, `text`) or
 * lack them (`-text`). With --update-snapshots it writes the snapshots instead.
 */
export const diff = defineGrader({
  type: "diff",
  config: z.strictObject({
    expected_files: z.array(expected).min(1, "expected_files is empty"),
    context_dir: z.string().optional(),
    /** Accepted and ignored: only --update-snapshots may write to the suite's folder. */
    update_snapshots: z.boolean().optional(),
  }),
  scoring: "mean",

  fault({ expected_files, context_dir }, suiteDir) {
    if (suiteDir === undefined) return undefined;
    const outside = expected_files.find(
      ({ snapshot }) => snapshot !== undefined && placeOf(snapshot, context_dir, suiteDir) === undefined,
    );
    return outside && `the snapshot "${outside.snapshot}" lies outside the suite's folder`;
  },

  grade({ expected_files, context_dir }, transcript, context) {
    const workspace = leftIn(transcript);
    if (!isWorkspace(workspace)) return [workspace];
    return expected_files.flatMap(({ path, snapshot, contains }) => {
      const read = textAt(workspace, path);
      if ("passed" in read) return [read];
      // As in waza, a missing file fails every check on it.
      if (read.status === "none")
        return [path, ...(snapshot === undefined ? [] : [snapshot]), ...contains].map(() => checked(false, read.why));
      return [
        checked(true, `${path} exists`),
        ...(snapshot === undefined ? [] : [compared(workspace, { path, snapshot, from: context_dir }, context)]),
        ...contains.map((fragment) => fragmentCheck(path, read.text, fragment)),
      ];
    });
  },
});

function compared(
  workspace: WorkspaceFiles,
  { path, snapshot, from }: { path: string; snapshot: string; from: string | undefined },
  { suiteDir, updateSnapshots }: GradingContext,
): Check {
  const place = suiteDir === undefined ? undefined : placeOf(snapshot, from, suiteDir);
  const left = leftAt(workspace, path);
  const bytes = left.status === "file" ? contentOf(left.file) : undefined;
  if (suiteDir === undefined || place === undefined || bytes === undefined)
    return notMade(`${path} cannot be compared: the snapshot ${snapshot} is relative to a suite, and there is none`);
  if (updateSnapshots) {
    writeFileIn(place, bytes, { within: suiteDir });
    return checked(true, `the snapshot ${snapshot} was written from ${path}`);
  }
  const kept = readBytes(place, { within: suiteDir });
  if (kept.status === "unreadable")
    return notMade(`the snapshot ${snapshot} cannot be used: ${kept.message} (--update-snapshots writes it)`);
  if (kept.bytes.equals(bytes)) return checked(true, `${path} equals the snapshot ${snapshot}`);
  return checked(
    false,
    `${path} differs from the snapshot ${snapshot}`,
    firstDifference(kept.bytes.toString("utf8"), bytes.toString("utf8")),
  );
}

function fragmentCheck(path: string, text: string, fragment: string): Check {
  const absent = fragment.startsWith("-");
  const wanted = (/^[+-]/.test(fragment) ? fragment.slice(1) : fragment).trim();
  const found = text.includes(wanted);
  if (absent)
    return checked(
      !found,
      found ? `${path} contains "${wanted}", but must not` : `${path} does not contain "${wanted}"`,
    );
  return checked(found, `${path} ${found ? "contains" : "does not contain"} "${wanted}"`);
}

function placeOf(snapshot: string, from: string | undefined, suiteDir: string): string | undefined {
  const place = resolve(suiteDir, from ?? ".", snapshot);
  return isWithin(suiteDir, place) ? place : undefined;
}

function firstDifference(wanted: string, got: string): string {
  const [before, after] = [wanted.split("\n"), got.split("\n")];
  const line = before.findIndex((text, index) => text !== after[index]);
  const at = line < 0 ? before.length : line;
  const cut = (text: string | undefined) => (text === undefined ? "(end of file)" : text.slice(0, 200));
  return `line ${at + 1}\n- ${cut(before[at])}\n+ ${cut(after[at])}`;
}
