import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runMain } from "../cli/run-main.ts";
import { World } from "../world.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code: number };
}

let world: World;
beforeEach(() => {
  world = new World();
  world.write(".git/HEAD", "ref: refs/heads/main\n");
});
afterEach(() => world.remove());

test("a run is sent as spans that hang together, with the names of the GenAI conventions", async () => {
  world.skill("refund", [{ query: "money back", should_trigger: true }]);
  world.script({ answers: [{ query: "money back", skills: ["refund"], text: "Done." }] });
  const bodies: { type: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (data) => {
      body += data;
    });
    request.on("end", () => {
      bodies.push({ type: request.headers["content-type"], body });
      response.writeHead(200).end("{}");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
    expect(
      await runMain(world.dir, [
        "run",
        "-t",
        "script:answers.yaml",
        "--runs",
        "2",
        "--no-early-stop",
        "--reporter",
        `otlp=${url}`,
      ]),
    ).toMatchObject({
      code: 0,
      stderr: "",
    });
  } finally {
    server.close();
  }
  expect(bodies.map(({ type }) => type)).toEqual(["application/json"]);
  const [{ resource, scopeSpans }] = JSON.parse(bodies[0]!.body).resourceSpans as [
    { resource: Span; scopeSpans: { spans: Span[] }[] },
  ];
  expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "proctor" } });
  const spans = scopeSpans[0]!.spans;
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(ids.size).toBe(spans.length);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  for (const span of spans) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    if (span.parentSpanId === undefined) expect(span.name).toMatch(/^run /);
    else expect(ids).toContain(span.parentSpanId);
  }
  const trials = spans.filter(({ name }) => name === "invoke_agent script");
  expect(trials).toHaveLength(2);
  expect(trials[0]!.attributes).toContainEqual({
    key: "gen_ai.operation.name",
    value: { stringValue: "invoke_agent" },
  });
  const question = spans.find(({ name }) => name.startsWith("question "))!;
  expect(question.attributes).toContainEqual({ key: "gen_ai.evaluation.score.label", value: { stringValue: "pass" } });
  expect(spans.some(({ name, parentSpanId }) => /^turn \d+$/.test(name) && parentSpanId === trials[0]!.spanId)).toBe(
    true,
  );
});

test.each([301, 302, 307, 308])(
  "an address that sends elsewhere (%i) is told, and nothing goes there",
  async (status) => {
    world.skill("refund", [{ query: "money back", should_trigger: true }]);
    world.script({ answers: [{ query: "money back", skills: ["refund"] }] });
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume();
      if (request.url === "/elsewhere") response.writeHead(200).end();
      else response.writeHead(status, { location: "/elsewhere" }).end();
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
      expect(
        await runMain(world.dir, ["run", "-t", "script:answers.yaml", "--runs", "1", "--reporter", `otlp=${url}`]),
      ).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`it redirects (${status}), and redirects are not followed`),
      });
      expect(asked).toEqual(["POST /v1/traces"]);
    } finally {
      server.close();
    }
  },
);

test("of a reply without an end only the beginning is read", async () => {
  world.skill("refund", [{ query: "money back", should_trigger: true }]);
  world.script({ answers: [{ query: "money back", skills: ["refund"] }] });
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(500);
    response.write("no ".repeat(1_000));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
    expect(
      await runMain(world.dir, ["run", "-t", "script:answers.yaml", "--runs", "1", "--reporter", `otlp=${url}`]),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/it answers 500 (?:no ){66}/),
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
