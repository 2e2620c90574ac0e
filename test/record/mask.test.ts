import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMask } from "../../src/base/index.ts";
import { createRecord, openCache } from "../../src/exam/record/index.ts";
import { allText, ask, footer, header, linesOf, question, staged, tempFolder, transcript, trial } from "./sample.ts";

describe("tokens are known by their shape", () => {
  const x = (length: number) => "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7".repeat(4).slice(0, length);
  test.each([
    `sk-ant-api03-${x(90)}`,
    `sk-proj-${x(48)}`,
    `sk-${x(48)}`,
    `ghp_${x(36)}`,
    `github_pat_${x(60)}`,
    `AIza${x(35)}`,
    `xoxb-1234567890-${x(24)}`,
    "AKIAIOSFODNN7EXAMPLE",
    `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${x(43)}`,
    `Bearer ${x(40)}`,
    "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----",
  ])("%s", (token) => {
    const mask = createMask([]);
    for (const text of [
      token,
      `key=${token}`,
      `a\n${token}\nb`,
      JSON.stringify({ text: `a\n${token}\n` }),
      `"${token}"`,
      `(${token}).`,
    ]) {
      expect(mask(text)).not.toContain(token.slice(-20));
      expect(mask(text)).toContain("[masked]");
    }
  });

  test.each([
    "task-management-for-developers-and-teams",
    "risk-assessment-2026-quarterly",
    "the bearer of bad news",
    "npm_config_registry",
    "hf_hub",
  ])("but %s is a word", (text) => {
    expect(createMask([])(text)).toBe(text);
    expect(createMask([])(JSON.stringify({ text: `\n${text}` }))).toBe(JSON.stringify({ text: `\n${text}` }));
  });
});

describe("values of key variables are found", () => {
  const secret = 'p4ss"w\\rd/with+odd=chars\nand a line';
  const mask = createMask([secret, undefined, "short", "  "]);
  test.each<[string, string]>([
    ["as they are", secret],
    ["in JSON", JSON.stringify({ secret })],
    ["in JSON in JSON", JSON.stringify(JSON.stringify({ secret }))],
    ["percent-encoded", encodeURIComponent(secret)],
    ["in Base64", Buffer.from(secret).toString("base64")],
  ])("%s", (_name, text) => {
    expect(mask(text)).toContain("[masked]");
    expect(mask(text)).not.toContain("chars");
    expect(mask(text)).not.toContain(Buffer.from("chars").toString("base64").slice(0, 5));
  });

  test("and short ones are left alone: they are words", () => {
    expect(mask("short and true")).toBe("short and true");
  });

  test("in pieces, as streamed output cuts them", () => {
    const key = "zk9w8e7r6t5y4u3i2o1p0a9s8d7f6g5h4j3k2l1";
    const cut = createMask([key]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: key.length - 1 }), (at) => {
        const masked = cut(`{"delta":"${key.slice(0, at)}"}\n{"delta":"${key.slice(at)}"}`);
        const left = masked.replaceAll(/\{"delta":"|"\}|\[masked\]|\n/g, "");
        expect(left.length).toBeLessThan(15);
      }),
    );
  });
});

test("no secret is anywhere in the folder, and the lines can still be read", async () => {
  const root = tempFolder();
  mkdirSync(join(root, ".proctor"), { recursive: true });
  const secrets = ["hunter2-correct-horse", 'quo"ted\\secret\\', "sk-ant-api03-Zm9vYmFyYmF6cXV4cXV1eDEyMzQ1Njc4OTA"];
  const mask = createMask(secrets.slice(0, 2));
  const said = `the keys are ${secrets.join(" and ")}\n${secrets[2]}`;
  const writer = await createRecord(root, { ...header, options: { label: said } }, { mask });
  await writer.question({ ...question, prompt: said });
  const told = transcript(said);
  told.calls.push({
    turn: 1,
    id: "1",
    tool: "Bash",
    input: { env: secrets, nested: JSON.stringify({ secrets }), [secrets[1]!]: 1 },
    ok: true,
    result: said,
  });
  told.workspace = { files: [{ path: "a", change: "changed", kind: "file", text: said, before: said }] };
  const line = trial(1, {
    reason: said,
    how: "error",
    error: { reason: "api", message: said, retryable: false },
    attempts: [{ ms: 1, error: { reason: "api", message: said, retryable: false } }],
  });
  await writer.trial(line, { transcript: told, raw: `${JSON.stringify({ said })}\n${said}` });
  await writer.close(footer);
  const cache = openCache(root, { mask });
  cache
    .forTarget({ id: "t", kind: "script", identity: { options: {}, deterministic: false } }, [staged("a")])
    .put(ask("q"), 1, { measuredAt: new Date().toISOString(), ms: 1, transcript: told });
  await cache.close();

  const everything = allText(root);
  expect(everything.length).toBeGreaterThan(1000);
  for (const secret of secrets) {
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
  expect(await linesOf(writer.file)).toHaveLength(4);
});

test("masking leaves valid JSON behind, whatever the secret and wherever it is", async () => {
  const root = tempFolder();
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 8, unit: fc.constantFrom("a", "1", '"', "\\", "\n", "é", "{", "}") }),
      fc.string(),
      async (secret, around) => {
        fc.pre(secret.trim().length >= 8);
        const writer = await createRecord(root, header, { mask: createMask([secret]) });
        await writer.question({ ...question, prompt: `${around}${secret}${around}` });
        await writer.close(footer);
        const lines = await linesOf(writer.file);
        expect(lines).toHaveLength(3);
        expect((lines[1] as typeof question).prompt).not.toContain(secret.trim());
      },
    ),
    { numRuns: 60 },
  );
});
