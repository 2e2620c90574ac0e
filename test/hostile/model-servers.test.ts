import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { saidText } from "../../src/graders/index.ts";
import { runMain } from "../cli/run-main.ts";
import { allText } from "../record/sample.ts";
import {
  environmentOf,
  models,
  type Provider,
  type RawReply,
  replyOf,
  startRawModel,
} from "../targets/models/raw-model.ts";
import { World } from "../world.ts";

const providers: Provider[] = ["anthropic", "openai", "google", "ollama"];

let world: World;
let server: Awaited<ReturnType<typeof startRawModel>>;
let reply: RawReply;
beforeEach(async () => {
  world = new World();
  world.skill("alpha", [{ query: "Can I send this back?", should_trigger: false }]);
  server = await startRawModel(() => reply);
});
afterEach(async () => {
  world.remove();
  await server.close();
});

async function judged(provider: Provider, body: unknown, role = "judge") {
  reply = { body };
  world.env = environmentOf(provider, server.url) as Record<string, string>;
  const { trials } = await world.sit({
    targets: [`${role}:${provider}/${models[provider]}`],
    runs: 1,
    retries: 0,
    cache: false,
  });
  return trials[0]!;
}

describe.each(providers)("%s", (provider) => {
  test.each([301, 302, 303, 307, 308])(
    "a redirect (%i) is refused: the key does not go to another host, and its answer does not count",
    async (status) => {
      const elsewhere = await startRawModel(() => ({
        body: replyOf(provider, "DECISION=NO REASON=I am somebody else."),
      }));
      try {
        reply = { status, headers: { location: `${elsewhere.url}/v1/anything` } };
        world.env = environmentOf(provider, server.url) as Record<string, string>;
        const { trials } = await world.sit({
          targets: [`judge:${provider}/${models[provider]}`],
          runs: 1,
          cache: false,
        });
        expect(trials).toMatchObject([
          {
            error: { reason: "api", retryable: false, message: expect.stringContaining("redirects are not followed") },
          },
        ]);
        expect(trials[0]?.error?.message).toContain(elsewhere.url);
        expect(elsewhere.requests).toEqual([]);
        expect(server.requests).toHaveLength(1);
      } finally {
        await elsewhere.close();
      }
    },
  );

  test.each(["DECISION=NO", "DECISION=N", "Let me weigh it. The skill", ""])(
    "a reply that ended for length (%j) is an error, never a no",
    async (text) => {
      expect(await judged(provider, replyOf(provider, text, { cut: true }))).toMatchObject({
        error: { reason: "cut_answer", retryable: false },
        checks: [],
      });
    },
  );

  test("a decision that was whole before the reply was cut counts", async () => {
    const trial = await judged(provider, replyOf(provider, "DECISION=NO REASON=It is about the wea", { cut: true }));
    expect(trial).toMatchObject({ how: "completed", checks: [{ passed: true }] });
  });

  test("a list of skills that was cut is an error", async () => {
    const text = provider === "ollama" ? "SKILLS=alp" : '{"skills":["alp';
    expect(await judged(provider, replyOf(provider, text, { cut: true }), "router")).toMatchObject({
      error: { reason: "cut_answer" },
    });
  });

  test("a decision in the model's thoughts is none", async () => {
    const trial = await judged(
      provider,
      replyOf(provider, "I cannot say.", { thought: "DECISION=NO REASON=only a thought" }),
    );
    expect(trial).toMatchObject({ error: { reason: "unparseable" } });
    const inText = "<think>\nDECISION=NO REASON=only a thought\n</think>\nI cannot say.";
    expect(await judged(provider, replyOf(provider, inText))).toMatchObject({ error: { reason: "unparseable" } });
  });
});

test.each([
  ["<think>\nSCORE=5\n</think>\nSCORE=2", "\nSCORE=2"],
  ["<Thinking>SCORE=5\n</thinking>SCORE=2", "SCORE=2"],
  ["SCORE=5 in my head\n</think>\nSCORE=2", "\nSCORE=2"],
  ["<think>SCORE=5 without an end", ""],
  ["SCORE=4 REASON=It says <think> somewhere.", "SCORE=4 REASON=It says <think> somewhere."],
  ["<reasoning>a</reasoning>\n<think>b</think>\nSCORE=3", "\n\nSCORE=3"],
])("of %j what is said is %j", (text, said) => {
  expect(saidText(text)).toBe(said);
});

test("two megabytes of thoughts take no time", () => {
  const before = process.cpuUsage().user;
  for (const text of [
    "<think>\n".repeat(250_000),
    "<think>\n</think>\n".repeat(120_000),
    `${" ".repeat(2_000_000)}<think>`,
  ])
    saidText(text);
  expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(2);
});

describe("a key of the configuration, and what an endpoint's address holds", () => {
  const KEY = "kx-echo-47-and-some-more";
  const basic = Buffer.from(`me:${KEY}`).toString("base64");

  test.each([
    ["in a reply", 200],
    ["in a refusal", 401],
    ["in a fault", 500],
  ])("are in no file and on no screen, although the server says them %s", async (_, status) => {
    const said = `key ${KEY}, Authorization: Basic ${basic}, q-4711-secret`;
    reply =
      status === 200
        ? { body: replyOf("ollama", `DECISION=YES REASON=${said}`) }
        : { status, body: { error: { message: said } } };
    const address = new URL(server.url);
    const endpoint = `http://${address.host}/v1?key=q-4711-secret`;
    world.write("proctor.config.yaml", JSON.stringify({ providers: { mine: { baseUrl: endpoint, apiKey: KEY } } }));
    const secrets = [KEY, basic, "pa55-w0rd", "q-4711-secret"];
    const flags = ["-t", "judge:mine/any", "--runs", "1", "--retries", "0"];
    const printed = await runMain(world.dir, ["run", ...flags, "--reporter", "json"]);
    const trials = await runMain(world.dir, ["report", "--trials"]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toContain(`Bearer ${KEY}`);
    // With a password in it no request is made; the reason quotes the address.
    world.write(
      "proctor.config.yaml",
      JSON.stringify({ providers: { mine: { baseUrl: endpoint.replace("//", "//me:pa55-w0rd@"), apiKey: KEY } } }),
    );
    const refused = await runMain(world.dir, ["run", ...flags]);
    const told = await runMain(world.dir, ["doctor", "--json"]);
    for (const secret of secrets) {
      for (const { stdout, stderr } of [printed, trials, refused, told]) expect(stdout + stderr).not.toContain(secret);
      expect(allText(join(world.dir, ".proctor"))).not.toContain(secret);
    }
    expect(trials.stdout + trials.stderr).toContain("[masked]");
  });
});
