import { describe, expect, test } from "vitest";
import type { Exit } from "../../../src/hosts/index.ts";
import { apiError, crashed, notLoggedIn, stoppedError, withAddress } from "../../../src/hosts/reading/errors.ts";

const codex = { id: "codex", keys: ["CODEX_API_KEY", "OPENAI_API_KEY"] };
const qwen = { id: "qwen", keys: ["OPENAI_API_KEY"] };
const exit: Exit = { code: 1, signal: null, stderr: "", ms: 4_000, resources: { peakMemoryBytes: 0, cpuMs: 0 } };

/** Words of the providers and the CLIs, as the CLIs passed them on. */
describe("what a provider says", () => {
  test.each<[words: string, status: number | undefined, reason: string, retryable: boolean]>([
    ["Incorrect API key provided", 401, "auth", false],
    ["[API Error: API key not valid. Please pass a valid API key.]", undefined, "auth", false],
    ["Your request is not allowed", 403, "auth", false],
    ["Your credit balance is too low to access the Anthropic API.", 400, "rate_limit", false],
    ["You exceeded your current quota, please check your plan and billing details.", 429, "rate_limit", false],
    ["Rate limit exceeded", 429, "rate_limit", true],
    ["Rate limit exceeded", undefined, "rate_limit", true],
    [
      "429 Rate limit exceeded\nPossible quota limitations in place or slow response times detected.",
      undefined,
      "rate_limit",
      true,
    ],
    ["Overloaded", 529, "overloaded", true],
    ["We’re currently experiencing high demand, which may cause temporary errors.", undefined, "overloaded", true],
    ["prompt is too long: 210000 tokens > 200000 maximum", 400, "api", false],
    ["The model `nope-1` does not exist or you do not have access to it.", undefined, "api", false],
    ["models/nope-1 is not found for API version v1beta", 404, "api", false],
    ["Internal server error", 500, "api", true],
    ["Internal server error", undefined, "api", true],
    [
      "The provider rejected the prompt as too long, but automatic recovery could not reduce it.",
      undefined,
      "api",
      false,
    ],
    ["Claude's response exceeded the 128000 output token maximum.", undefined, "cut_answer", true],
    ["Incomplete response returned, reason: max_output_tokens", undefined, "cut_answer", true],
    ["Incomplete response returned, reason: content_filter", undefined, "filtered", false],
    ["API Error: Opus 5.5's safeguards flagged this message", undefined, "filtered", false],
    ["Connection reset by server", undefined, "cut_stream", true],
    ["The socket connection was closed unexpectedly.", undefined, "cut_stream", true],
    ["Model stream ended without a finish reason", undefined, "cut_stream", true],
    [
      "Failed to finalize chat-completions stream: request ended without sending any chunks",
      undefined,
      "unparseable",
      true,
    ],
    ["Request exceeds the model's prompt budget", undefined, "api", false],
    ["Unable to connect to API (ConnectionRefused)", undefined, "api", true],
    ["[API Error: Connection error.]", undefined, "api", true],
    ["Unable to connect to API (ECONNRESET)", undefined, "cut_stream", true],
    ["connect ECONNREFUSED 127.0.0.1:4099", undefined, "api", true],
    ["getaddrinfo ENOTFOUND gateway.example", undefined, "api", true],
    ["exception TypeError: fetch failed sending request", undefined, "api", true],
    [
      "stream disconnected before completion: error sending request for url (http://127.0.0.1:4099/v1/responses)",
      undefined,
      "api",
      true,
    ],
    ["Model stream ended with empty response text", undefined, "unparseable", true],
    ["The model returned an empty response with no text or thoughts.", undefined, "unparseable", true],
    ["The model response was blocked due to safety settings.", undefined, "filtered", false],
    ["No response was returned. Send your message again to retry.", undefined, "unparseable", true],
    ["Something else", undefined, "unknown", true],
  ])("%s (%s) is %s", (words, status, reason, retryable) => {
    expect(apiError(qwen, status, words)).toMatchObject({ reason, retryable });
  });

  test("is shown without the JSON around it", () => {
    const body =
      '[API Error: {"error":{"code":400,"message":"The \\"tools\\" are wrong.","status":"INVALID_ARGUMENT"}}]';
    expect(apiError(qwen, 400, body).message).toBe(
      'the provider refused the request with 400: The "tools" are wrong. Check the model\'s name and the endpoint.',
    );
  });
});

test("an endpoint that cannot be reached is named, without its password", () => {
  const failure = apiError(qwen, undefined, "Unable to connect to API (ConnectionRefused)");
  expect(withAddress(failure, "http://me:secret@127.0.0.1:4099/v1").message).toBe(
    "the endpoint http://127.0.0.1:4099/v1 cannot be reached: Unable to connect to API (ConnectionRefused). Is a server listening there? Is a proxy in the way?",
  );
  expect(withAddress(failure, undefined)).toEqual(failure);
  expect(withAddress(apiError(qwen, 500, "x"), "http://127.0.0.1:4099").message).not.toContain("4099");
});

describe("advice", () => {
  test("names one key, and where the others are", () => {
    expect(notLoggedIn(codex).message).toBe(
      "codex is not logged in: there is no key in the environment, so nothing was asked. Set CODEX_API_KEY (proctor doctor names the others).",
    );
    expect(apiError(qwen, 401, "Incorrect API key provided: sk-…").message).toBe(
      "qwen is not logged in: Incorrect API key provided: sk-…. Check OPENAI_API_KEY.",
    );
  });

  test("offers the user's login only where it can be used", () => {
    expect(notLoggedIn({ ...qwen, login: {} }).message).toContain("Set OPENAI_API_KEY, or pass --use-login.");
    expect(notLoggedIn({ ...qwen, login: { refused: "it cannot be copied" } }).message).not.toContain("--use-login");
  });
});

test("a CLI that was ended because it failed again and again has the reason of its failures", () => {
  const last = apiError(qwen, 529, "Overloaded");
  expect(stoppedError(qwen, { reason: "failing", exit, last })).toEqual(last);
  expect(stoppedError(qwen, { reason: "timeout", exit, last })).toMatchObject({
    reason: "overloaded",
    message: expect.stringContaining("tried for 4 s"),
  });
  expect(stoppedError(qwen, { reason: "failing", exit })).toMatchObject({ reason: "unknown" });
});

test("a CLI that ends without a word is a crash with the end of its log", () => {
  expect(crashed(qwen, { ...exit, stderr: "a\nb\nfatal: no disk" })).toMatchObject({
    reason: "crash",
    message: "qwen ended without a result (exit code 1): a b fatal: no disk",
  });
});
