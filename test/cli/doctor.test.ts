import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runMain } from "./run-main.ts";

/** No server at the usual ports is asked in these tests. */
const NOBODY = {
  OLLAMA_BASE_URL: "http://127.0.0.1:9/v1",
  LMSTUDIO_BASE_URL: "http://127.0.0.1:9/v1",
  LLAMACPP_BASE_URL: "http://127.0.0.1:9/v1",
  VLLM_BASE_URL: "http://127.0.0.1:9/v1",
};
const home = mkdtempSync(join(tmpdir(), "proctor-doctor-"));
beforeAll(() => {
  write("bin/claude", `#!${process.execPath}\nconsole.log("2.1.325 (Claude Code)");\n`);
  write("bin/codex", `#!${process.execPath}\nconsole.log("codex-cli 0.166.0");\n`);
  write("bin/copilot", `#!${process.execPath}\nconsole.log("GitHub Copilot CLI 9.9.9.");\n`);
  for (const name of ["claude", "codex", "copilot"]) chmodSync(join(home, "bin", name), 0o755);
  const login = {
    accessToken: "secret-access",
    refreshToken: "secret-renewal",
    expiresAt: Date.parse("2999-01-02T03:04:05Z"),
  };
  write(".claude/.credentials.json", JSON.stringify({ claudeAiOauth: login }));
  write(".codex/auth.json", JSON.stringify({ OPENAI_API_KEY: "sk-secret" }));
  write(".copilot/config.json", "{}");
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

const doctor = (...args: string[]) =>
  runMain(home, ["doctor", ...args], {
    ...NOBODY,
    PATH: join(home, "bin"),
    HOME: home,
    ANTHROPIC_API_KEY: "sk-secret-key",
  });

test("doctor says what is ready, with what, and what gets the rest; secrets are told by name", async () => {
  const { code, stdout } = await doctor();
  expect(code).toBe(0);
  expect(stdout).not.toMatch(/secret/);
  const lines = stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, "  "));
  expect(lines).toEqual(
    expect.arrayContaining([
      `claude  ready  2.1.325 (tested 2.1.197 to 2.1.325)  ~/bin/claude`,
      "login  ~/.claude/.credentials.json, until 2999-01-02 03:04 UTC; used with --use-login before the key",
      "codex  ready with --use-login  0.166.0 (tested 0.163.0 to 0.166.0)  ~/bin/codex",
      "key  none (CODEX_API_KEY, OPENAI_API_KEY)",
      "login  ~/.codex/auth.json; used with --use-login",
      expect.stringMatching(/^copilot {2}not ready {2}9\.9\.9 /),
      expect.stringMatching(/^login {2}not usable: the token is in the system's keychain.*COPILOT_GITHUB_TOKEN/),
      "gemini  not installed  npm install -g @google/gemini-cli, and GEMINI_API_KEY or --use-login",
      "judge:cli/claude  judge:cli/codex --use-login",
      "next: proctor run -t claude",
    ]),
  );
});

test.each([[], ["--json"]])("doctor %j masks the password and the key in an endpoint", async (...args: string[]) => {
  const env = {
    PATH: join(home, "bin"),
    HOME: home,
    ANTHROPIC_API_KEY: "sk-k3y-of-mine",
    ANTHROPIC_BASE_URL: "https://me:Tr0ub4dor@gateway.example/v1?key=abcdef123456",
  };
  const { stdout } = await runMain(home, ["doctor", ...args], env);
  expect(stdout).toContain("https://me:[masked]@gateway.example/v1?key=[masked]");
  expect(stdout).not.toMatch(/Tr0ub4dor|abcdef123456|sk-k3y-of-mine/);
});

test("doctor names who can be asked what the embedded target cannot tell, the cheapest first, with what it would cost", async () => {
  const { stdout } = await doctor();
  const lines = stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, "  "));
  const at = lines.indexOf("for what the embedded target cannot tell, the cheapest first:");
  expect(lines.slice(at + 1, at + 5)).toEqual([
    "proctor run -t router:cli/claude --use-login  Claude Code with your login, a call for 25 questions: on your plan",
    "proctor run -t router:cli/codex --use-login  Codex with your login, a call for 25 questions: on your plan",
    expect.stringMatching(
      /^proctor run -t router:anthropic\/claude-haiku-4-5 {2}.*: up to about \$0\.54 for 100 questions about 10 skills, three runs of each$/,
    ),
    "",
  ]);
  const { better } = JSON.parse((await doctor("--json")).stdout);
  expect(better.map(({ target }: { target: string }) => target)).toEqual([
    "router:cli/claude",
    "router:cli/codex",
    "router:anthropic/claude-haiku-4-5",
  ]);
});

test("doctor --json tells the same to programs", async () => {
  const { stdout } = await doctor("--json");
  expect(stdout).not.toMatch(/secret/);
  const { agents, models } = JSON.parse(stdout);
  expect(models).toContainEqual({ name: "ANTHROPIC_API_KEY", present: true });
  expect(
    agents.map(({ id, ready, login }: { id: string; ready: string; login: { state: string } }) => [
      id,
      ready,
      login.state,
    ]),
  ).toEqual([
    ["claude", "yes", "present"],
    ["codex", "login", "present"],
    ["copilot", "no", "refused"],
    ["gemini", "no", "none"],
    ["opencode", "no", "none"],
    ["qwen", "no", "refused"],
  ]);
});

function write(path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}

test("what the end of a run says the rest would cost is what --dry-run says of it", async () => {
  write(
    "skills/mend/SKILL.md",
    "---\nname: mend\ndescription: Mends bicycles. Use when a bicycle is broken.\n---\nMend it.\n",
  );
  write("skills/mend/evals/triggers.yaml", "triggers:\n  - query: My wheel wobbles\n    should_trigger: true\n");
  const env = { ...NOBODY, PATH: "", HOME: home, ANTHROPIC_API_KEY: "dummy" };
  const asked = async (...args: string[]) => (await runMain(join(home, "skills"), ["run", ...args], env)).stdout;
  const [, most] = /up to about (\$[\d.]+)\)/.exec(await asked("--runs", "5"))!;
  const again = ["--runs", "5", "-t", "router:anthropic/claude-haiku-4-5"];
  expect(await asked(...again, "--dry-run")).toContain(` to ${most}\n`);
});
