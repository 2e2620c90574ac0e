import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loopback, startLoopback } from "../../src/loopback/index.ts";

const skillCall = { text: "Using it.", calls: [{ tool: "Skill", input: { skill: "alpha" } }] };
let server: Loopback;

beforeAll(async () => {
  server = await startLoopback({
    two: {
      steps: [skillCall, { text: "All done." }],
      rules: [{ when: "sub-agent", steps: [{ text: "I am the sub-agent." }] }],
    },
    custom: { steps: [{ calls: [{ tool: "exec", input: "text(1)" }] }] },
    limited: { steps: [{ fault: "status", status: 429, retryAfterSeconds: 7, times: 1, after: { text: "Now." } }] },
    cut: { steps: [{ fault: "cut" }] },
    hang: { steps: [{ fault: "hang" }] },
    garbage: { steps: [{ fault: "garbage" }] },
    slow: { steps: [{ text: "Late.", delayMs: 50, pieceMs: 5 }] },
  });
});
afterAll(() => server.close());

const user = { role: "user", content: "hello" };
const protocols = [
  {
    name: "anthropic",
    path: "/v1/messages",
    first: { messages: [user] },
    second: { messages: [user, { role: "assistant", content: [] }, user] },
    other: { messages: [{ role: "user", content: [{ type: "text", text: "you are a sub-agent" }] }] },
  },
  {
    name: "responses",
    path: "/v1/responses",
    first: { input: [user] },
    second: { input: [user, { type: "reasoning" }, { type: "function_call" }, { type: "function_call_output" }] },
    other: { input: "you are a sub-agent" },
  },
  {
    name: "chat",
    path: "/v1/chat/completions",
    first: { messages: [user] },
    second: { messages: [user, { role: "assistant" }, { role: "tool" }] },
    other: { messages: [{ role: "user", content: "you are a sub-agent" }] },
  },
  {
    name: "gemini",
    path: "/v1beta/models/g-1:generateContent",
    first: { contents: [{ role: "user", parts: [{ text: "hello" }] }] },
    second: { contents: [{ role: "user" }, { role: "model" }, { role: "user" }] },
    other: { contents: [{ role: "user", parts: [{ text: "you are a sub-agent" }] }] },
  },
];

describe.each(protocols)("$name", ({ name, path, first, second, other }) => {
  const streamPath = path.replace(":generateContent", ":streamGenerateContent");

  test("plays the step that the conversation has reached, whole and as a stream", async () => {
    for (const [body, expected] of [
      [first, "alpha"],
      [second, "All done."],
    ] as const) {
      const whole = await post(`/two/run-1${path}`, body);
      expect(whole.status).toBe(200);
      expect(await whole.text()).toContain(expected);
      const streamed = await post(`/two/run-1${streamPath}`, { ...body, stream: true });
      expect(streamed.headers.get("content-type")).toBe("text/event-stream");
      const events = data(await streamed.text());
      expect(JSON.stringify(events)).toContain(expected);
    }
    const seen = server.requests.filter((request) => request.protocol === name && request.scenario === "two");
    expect(seen.map((request) => [request.turn, request.run, request.stream])).toEqual([
      [0, "run-1", false],
      [0, "run-1", true],
      [1, "run-1", false],
      [1, "run-1", true],
    ]);
  });

  test("gives a sub-agent its own steps", async () => {
    expect(await (await post(`/two/r${path}`, other)).text()).toContain("I am the sub-agent.");
  });

  test("answers 429 with retry-after once, then as scripted", async () => {
    const limited = await post(`/limited/${name}${path}`, first);
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(JSON.stringify(await limited.json())).toContain("scripted 429");
    expect(await (await post(`/limited/${name}${path}`, first)).text()).toContain("Now.");
  });

  test("can cut a stream, send garbage, be slow and hang", async () => {
    await expect(post(`/cut${streamPath}`, { ...first, stream: true }).then((reply) => reply.text())).rejects.toThrow();
    await expect((await post(`/garbage${path}`, first)).json()).rejects.toThrow();
    expect(await (await post(`/slow${streamPath}`, { ...first, stream: true })).text()).toContain("Late.");
    await expect(post(`/hang${path}`, first, AbortSignal.timeout(100))).rejects.toThrow();
  });
});

test("a free-form call of the Responses protocol carries bare text", async () => {
  const reply = (await (await post("/custom/v1/responses", { input: "x" })).json()) as { output: unknown[] };
  expect(reply.output).toMatchObject([{ type: "custom_tool_call", name: "exec", input: "text(1)" }]);
});

test("an unknown scenario, an unknown path and a websocket are refused", async () => {
  expect((await post("/nope/v1/messages", {})).status).toBe(404);
  expect((await post("/two/v1/somewhere", {})).status).toBe(404);
  expect((await fetch(`${server.url}/two`, { method: "HEAD" })).status).toBe(200);
});

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(server.url + path, { method: "POST", body: JSON.stringify(body), ...(signal ? { signal } : {}) });
}

function data(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)) as unknown);
}
