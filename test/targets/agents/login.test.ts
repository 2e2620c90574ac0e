import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { borrowLogin, loginOver } from "../../../src/targets/agents/users-login.ts";
import { run as runExam } from "../../../src/verbs/index.ts";
import { adapterOf } from "../../hosts/adapters.ts";

const home = mkdtempSync(join(tmpdir(), "login-test-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(() => {
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true, force: true });
});

const now = Date.parse("2026-01-01T12:00:00Z");
const later = now + 3_600_000;
const jwt = (exp: number) => `${part({ alg: "none" })}.${part({ exp: exp / 1000 })}.c2ln`;
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const borrow = (id: string, more: { model?: string; endpoint?: string; env?: NodeJS.ProcessEnv } = {}) =>
  borrowLogin(adapterOf(id), { ...more, env: { HOME: home, ...more.env } }, now);

describe("a trial gets the login without what renews it", () => {
  test("claude", async () => {
    write(".claude/.credentials.json", {
      claudeAiOauth: { accessToken: "access", refreshToken: "renew", expiresAt: later, scopes: ["a"] },
    });
    const { files, ...login } = await borrow("claude");
    expect(login).toEqual({ kind: "subscription", secrets: ["access"], expiresAt: later });
    expect(contents(files)).toEqual({
      "claude/.credentials.json": { claudeAiOauth: { accessToken: "access", expiresAt: later, scopes: ["a"] } },
    });
  });

  test("codex with a ChatGPT account: the field stays, for without it there is no login at all", async () => {
    const tokens = { id_token: jwt(later), access_token: jwt(later), refresh_token: "renew", account_id: "acc" };
    write(".codex/auth.json", { OPENAI_API_KEY: null, tokens, last_refresh: "2025-01-01T00:00:00Z" });
    const { files, ...login } = await borrow("codex");
    expect(login).toEqual({ kind: "subscription", secrets: [jwt(later), jwt(later)], expiresAt: later });
    const kept = contents(files)["codex/auth.json"] as { last_refresh: string };
    expect(kept).toMatchObject({
      auth_mode: "chatgpt",
      OPENAI_API_KEY: null,
      tokens: { ...tokens, refresh_token: "" },
    });
    expect(Date.now() - Date.parse(kept.last_refresh)).toBeLessThan(60_000);
  });

  test("codex with a stored key, where CODEX_HOME says", async () => {
    write("elsewhere/auth.json", { OPENAI_API_KEY: "sk-stored", tokens: null });
    const { files, ...login } = await borrow("codex", { env: { CODEX_HOME: join(home, "elsewhere") } });
    expect(login).toEqual({ kind: "key", secrets: ["sk-stored"] });
    expect(contents(files)).toEqual({ "codex/auth.json": { auth_mode: "apikey", OPENAI_API_KEY: "sk-stored" } });
  });

  test("gemini, with the account that is active and the project, and no other account", async () => {
    write(".gemini/oauth_creds.json", {
      access_token: "ya29.x",
      refresh_token: "renew",
      expiry_date: later,
      token_type: "Bearer",
    });
    write(".gemini/google_accounts.json", { active: "me@example.com", old: ["other@example.com"] });
    const { files, ...login } = await borrow("gemini", { env: { GOOGLE_CLOUD_PROJECT: "mine", GEMINI_API_KEY: "k" } });
    expect(login).toEqual({
      kind: "subscription",
      env: { GOOGLE_CLOUD_PROJECT: "mine" },
      secrets: ["ya29.x"],
      expiresAt: later,
    });
    expect(contents(files)).toEqual({
      ".gemini/oauth_creds.json": { access_token: "ya29.x", expiry_date: later, token_type: "Bearer" },
      ".gemini/google_accounts.json": { active: "me@example.com", old: [] },
    });
  });

  test.each([
    [
      "now",
      {
        authTokens: {
          "https://github.com:me:github": { token: "gho_now" },
          "https://github.com:you:github": { token: "gho_you" },
        },
      },
      "gho_now",
    ],
    ["before", { copilotTokens: { "https://github.com:me": "gho_before" } }, "gho_before"],
  ])("copilot, whose token is where it is kept %s, in a file with comments", async (_, tokens, token) => {
    const config = { lastLoggedInUser: { host: "https://github.com", login: "me" }, ...tokens };
    write(".copilot/config.json", `// This file is managed automatically.\n${JSON.stringify(config)}`);
    expect(await borrow("copilot")).toEqual({
      kind: "subscription",
      files: [],
      env: { COPILOT_GITHUB_TOKEN: token },
      secrets: [token],
    });
  });

  test.each([
    [
      "anthropic/claude-haiku-4-5",
      { type: "api", key: "sk-a" },
      { type: "api", key: "sk-a" },
      { kind: "key", secrets: ["sk-a"] },
    ],
    [
      "openai/gpt-5.5",
      { type: "oauth", refresh: "renew", access: "access", expires: later, accountId: "acc" },
      { type: "oauth", refresh: "", access: "access", expires: later, accountId: "acc" },
      { kind: "subscription", secrets: ["access"], expiresAt: later },
    ],
    [
      "github-copilot/gpt-4.1",
      { type: "oauth", refresh: "gho_x", access: "gho_x", expires: 0 },
      { type: "oauth", refresh: "gho_x", access: "gho_x", expires: 0 },
      { kind: "subscription", secrets: ["gho_x", "gho_x"] },
    ],
  ])("opencode, the one of %s alone", async (model, stored, kept, login) => {
    const provider = model.split("/")[0]!;
    write(".local/share/opencode/auth.json", { [provider]: stored, other: { type: "api", key: "not-this-one" } });
    const { files, ...rest } = await borrow("opencode", { model });
    expect(rest).toEqual({ ...login, providers: [provider, "other"] });
    expect(contents(files)).toEqual({ ".local/share/opencode/auth.json": { [provider]: kept } });
  });
});

describe("what cannot be borrowed is refused, with what to do instead", () => {
  const soon = now + 4 * 60_000;
  test.each<[string, string, string | undefined, unknown, RegExp, RegExp]>([
    [
      "claude, expired",
      "claude",
      ".claude/.credentials.json",
      { claudeAiOauth: { accessToken: "a", expiresAt: soon } },
      /expires too soon/,
      /Start claude once/,
    ],
    [
      "claude, no login in it",
      "claude",
      ".claude/.credentials.json",
      "nonsense",
      /not in a known form/,
      /ANTHROPIC_API_KEY/,
    ],
    [
      "claude, none",
      "claude",
      undefined,
      "",
      /There is no login of Claude Code at/,
      process.platform === "darwin" ? /claude setup-token/ : /Log in with claude/,
    ],
    [
      "codex, expired",
      "codex",
      ".codex/auth.json",
      { tokens: { access_token: jwt(soon) } },
      /expires too soon/,
      /Start codex once/,
    ],
    [
      "codex, another kind",
      "codex",
      ".codex/auth.json",
      { personal_access_token: "x" },
      /neither an API key/,
      /CODEX_API_KEY/,
    ],
    ["codex, in the keychain", "codex", undefined, "", /There is no login of Codex/, /cli_auth_credentials_store/],
    [
      "gemini, expired",
      "gemini",
      ".gemini/oauth_creds.json",
      { access_token: "a", expiry_date: soon },
      /expires too soon/,
      /Start gemini once/,
    ],
    [
      "copilot, in the keychain",
      "copilot",
      ".copilot/config.json",
      { lastLoggedInUser: { host: "h", login: "me" } },
      /keychain/,
      /COPILOT_GITHUB_TOKEN/,
    ],
    [
      "opencode, another provider's",
      "opencode",
      ".local/share/opencode/auth.json",
      { openai: { type: "api", key: "k" } },
      /none for anthropic, only for openai/,
      /opencode auth login/,
    ],
    [
      "qwen",
      "qwen",
      ".qwen/oauth_creds.json",
      { access_token: "a" },
      /not possible with Qwen Code: .*discontinued/,
      /OPENAI_API_KEY/,
    ],
  ])("%s", async (_, id, file, content, message, hint) => {
    if (file !== undefined) write(file, content);
    const error = await borrow(id).catch((refused: unknown) => refused);
    expect(error).toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  test.each(["gemini", "copilot"])("%s with an endpoint of one's own, which its login does not reach", async (id) => {
    write(".gemini/oauth_creds.json", { access_token: "a", expiry_date: later });
    write(".copilot/config.json", { lastLoggedInUser: { host: "h", login: "me" }, copilotTokens: { "h:me": "t" } });
    await expect(borrow(id, { endpoint: "http://127.0.0.1:1" })).rejects.toMatchObject({
      hint: expect.stringContaining("Unset it"),
    });
  });
});

test("a trial that a login cannot outlast is an error with advice before it is asked", () => {
  const login = { kind: "subscription" as const, files: [], secrets: [], expiresAt: now + 10 * 60_000 };
  expect(loginOver(adapterOf("codex"), login, 4 * 60_000, now)).toBeUndefined();
  expect(loginOver(adapterOf("codex"), login, 6 * 60_000, now)).toMatchObject({
    reason: "auth",
    retryable: false,
    message: expect.stringMatching(/until 12:10 UTC.*Start codex once.*--resume/),
  });
});

describe("a run with --use-login", () => {
  // Of no shape that a mask knows by itself.
  const token = "opaque-token-of-somebody";

  test("puts the login where the CLI looks, keeps it out of the record, and takes it away again", async () => {
    const workspaces = prepare(token);
    const [run] = await run1({ keep_workspaces: true });
    expect(run!.scores.targets[0]!.questions[0]).toMatchObject({ verdict: "pass" });
    const header = JSON.parse(readFileSync(run!.record.file, "utf8").split("\n")[0]!);
    expect(header.targets[0].identity.options).toMatchObject({ use_login: true, login: "subscription" });
    for (const file of filesIn(join(home, ".proctor"))) expect(readFileSync(file, "utf8"), file).not.toContain(token);
    const kept = readFileSync(workspaces, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { home: string; key: string; auth: string });
    expect(kept).not.toHaveLength(0);
    for (const { home: place, auth, key } of kept) {
      expect(auth).toContain('"refresh_token":""');
      expect(key).toBe("none");
      expect(existsSync(place)).toBe(true);
      expect(existsSync(join(place, "codex", "auth.json"))).toBe(false);
      rmSync(dirname(place), { recursive: true, force: true });
    }
  });

  test("that the login cannot outlast is refused before anything is asked", async () => {
    const workspaces = prepare(jwt(Date.now() + 8 * 60_000));
    await expect(run1({}, { timeoutSeconds: 1200 })).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(/codex expires within the run: it has 3 min left, and the run takes about 20 min/),
      hint: expect.stringMatching(/Start codex once/),
    });
    expect(existsSync(workspaces)).toBe(false);
  });

  /** A Codex that says its secrets aloud, and notes what it was given. */
  function prepare(access: string): string {
    const noted = join(home, "noted.jsonl");
    write("skills/alpha/SKILL.md", "---\nname: alpha\ndescription: Draws alpha charts.\n---\nBody.\n");
    write("skills/alpha/evals/triggers.json", [{ query: "What is the time?", should_trigger: false }]);
    write(".codex/auth.json", {
      tokens: { id_token: access, access_token: access, refresh_token: "renew", account_id: "a" },
    });
    const script = `#!${process.execPath}
      if (process.argv[2] === "--version") { console.log("0.166.0"); process.exit(0); }
      const fs = require("node:fs");
      const auth = fs.readFileSync(process.env.CODEX_HOME + "/auth.json", "utf8");
      fs.appendFileSync(${JSON.stringify(noted)}, JSON.stringify({ home: process.env.HOME, auth, key: process.env.OPENAI_API_KEY ?? "none" }) + "\\n");
      const say = (event) => console.log(JSON.stringify(event));
      say({ type: "thread.started", thread_id: "t" });
      say({ type: "item.completed", item: { id: "1", type: "agent_message", text: "My login is " + JSON.parse(auth).tokens.access_token } });
      say({ type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } });
    `;
    write("codex", script);
    chmodSync(join(home, "codex"), 0o755);
    return noted;
  }

  function run1(options: Record<string, unknown>, more = {}) {
    const env = {
      PATH: process.env["PATH"],
      HOME: home,
      PROCTOR_CODEX_PATH: join(home, "codex"),
      OPENAI_API_KEY: "sk-of-the-environment",
    };
    const agentOptions = { use_login: true, canary: false, sandbox: "off", ...options };
    return runExam({ cwd: home, targets: ["codex"], runs: 1, env, agentOptions, ...more });
  }
});

function write(path: string, content: unknown): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

function contents(files: { path: string; content: string }[]): Record<string, unknown> {
  return Object.fromEntries(files.map(({ path, content }) => [path, JSON.parse(content)]));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
