import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { surveyAgents } from "../../../../src/targets/agents/index.ts";

const dir = mkdtempSync(join(tmpdir(), "sandbox-test-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.runIf(process.platform === "linux")(
  "a bubblewrap that may not work is told apart from one that is missing",
  async () => {
    expect(await surveyAgents({ PATH: dir })).toMatchObject({
      sandbox: undefined,
      sandboxAdvice: "install bubblewrap",
    });
    writeFileSync(join(dir, "bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const { sandbox, sandboxAdvice } = await surveyAgents({ PATH: dir });
    expect(sandbox).toBeUndefined();
    expect(sandboxAdvice).toMatch(/^bubblewrap is installed but may not/);
    writeFileSync(join(dir, "bwrap"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    expect(await surveyAgents({ PATH: dir })).toMatchObject({ sandbox: "bubblewrap" });
  },
);
