import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { leftBehind, surroundings } from "./surroundings.ts";

test.runIf(process.platform === "linux")(
  "a trial is blamed for what bears its name, and not for other programs' files",
  () => {
    const cache = mkdtempSync(join(tmpdir(), "proctor-cache-"));
    const before = surroundings(cache);
    const [theirs, ours, theCli] = ["somebody-elses", `prw-${process.pid}-left`, "Claude-left"].map((name) =>
      join(tmpdir(), `${name}-${process.pid}`),
    );
    const made = [theirs!, ours!, theCli!, join(cache, "unpacked")];
    onTestFinished(() => {
      for (const path of [...made, cache]) rmSync(path, { recursive: true, force: true });
    });
    for (const path of made) mkdirSync(path);
    expect(leftBehind(before, cache, "claude").sort()).toEqual([theCli!, ours!, join(cache, "unpacked")].sort());
    expect(leftBehind(before, cache, "codex").sort()).toEqual([ours!, join(cache, "unpacked")].sort());
  },
);
