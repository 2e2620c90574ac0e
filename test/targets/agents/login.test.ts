import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { adapterOf } from "../../../src/targets/agents/adapters.ts";
import { borrowLogin } from "../../../src/targets/agents/login.ts";

const home = mkdtempSync(join(tmpdir(), "login-test-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const claude = adapterOf("claude");
const now = Date.parse("2026-01-01T12:00:00Z");

test("a trial gets the login without the token that renews it", async () => {
  write({ accessToken: "a", refreshToken: "r", expiresAt: now + 3_600_000, scopes: ["user:inference"] });
  const { path, content } = await borrowLogin(claude, { HOME: home }, now);
  expect(path).toBe("claude/.credentials.json");
  expect(JSON.parse(content)).toEqual({ claudeAiOauth: { accessToken: "a", expiresAt: now + 3_600_000, scopes: ["user:inference"] } });
});

test.each([
  ["expires within the run", { accessToken: "a", expiresAt: now + 60_000 }, "expires within the run"],
  ["is no login", "nonsense", "cannot be read"],
])("a login that %s is refused", async (_, login, message) => {
  write(login);
  await expect(borrowLogin(claude, { HOME: home }, now)).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringContaining(message),
  });
});

test("no login, and a CLI without one to borrow, are usage errors", async () => {
  await expect(borrowLogin(claude, { HOME: join(home, "elsewhere") })).rejects.toThrow("There is no login");
  await expect(borrowLogin(adapterOf("copilot"), { HOME: home })).rejects.toThrow("not possible with Copilot CLI");
});

function write(login: unknown): void {
  mkdirSync(join(home, ".claude"), { recursive: true });
  writeFileSync(join(home, ".claude", ".credentials.json"), typeof login === "string" ? login : JSON.stringify({ claudeAiOauth: login }));
}
