import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AgentAdapter } from "../../../../src/hosts/adapter.ts";
import { watchRequests } from "../../../../src/targets/agents/trial/session-files.ts";

const session = {
  files: [],
  requests: {
    files: "log/*.json",
    listing: () => undefined,
    failure: (text: string) => (text === "failed" ? text : undefined),
  },
  read: () => ({}),
} satisfies AgentAdapter["session"];

let home: string;
let end = () => {};
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "watch-requests-"));
  mkdirSync(join(home, "log"));
});
afterEach(() => {
  end();
  rmSync(home, { recursive: true, force: true });
});

/** What was written before the CLI fell silent, and whether it is waited for any longer. */
function watched(...requests: string[]) {
  for (const [index, text] of requests.entries()) writeFileSync(join(home, "log", `${index}.json`), text);
  const enough = vi.fn();
  end = watchRequests(session, home, enough, 5, 50);
  return enough;
}

test("two failed requests in a row are enough", async () => {
  const enough = watched("fine", "failed", "failed");
  await vi.waitFor(() => expect(enough).toHaveBeenCalled());
});

test("one that failed is enough once nothing follows it for long", async () => {
  const enough = watched("fine", "failed");
  await vi.waitFor(() => expect(enough).toHaveBeenCalled());
});

test("a request that went well is waited for, however long the CLI is silent", async () => {
  const enough = watched("failed", "fine");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(enough).not.toHaveBeenCalled();
});
