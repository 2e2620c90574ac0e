import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { World } from "../../world.ts";
import { environmentOf, models, type Provider, replyOf, startRawModel } from "./raw-model.ts";

let world: World;
let own: Awaited<ReturnType<typeof startRawModel>>;
let providers: typeof own;
let provider: Provider;
beforeEach(async () => {
  world = new World();
  world.skill("alpha", [{ query: "Hello", should_trigger: false }]);
  world.write("skills/alpha/evals/evals.json", {
    evals: [{ id: "c", prompt: "Greet.", graders: [{ type: "contains", config: { value: "DECISION" } }] }],
  });
  const text = "DECISION=NO REASON=no";
  const route = '{"skills":[]}';
  const reply = (_path: string, body: string) => ({
    body: replyOf(provider, /choose which skills/.test(body) ? (provider === "ollama" ? "SKILLS=none" : route) : text),
  });
  own = await startRawModel(reply);
  providers = await startRawModel(reply);
});
afterEach(async () => {
  world.remove();
  await Promise.all([own.close(), providers.close()]);
});

const roles = ["judge", "router", "model"];
const all: [string, Provider][] = roles.flatMap((role) =>
  (["anthropic", "openai", "google", "ollama"] as const).map((one) => [role, one] as [string, Provider]),
);
const flags = (target: string) => ({
  targets: [target],
  runs: 1,
  cache: false,
  only: target.startsWith("model:") ? ("cases" as const) : ("triggers" as const),
});

describe("what the configuration sets for a model target", () => {
  test.each(all)("%s:%s is reached at its endpoint, not at the provider's address", async (role, name) => {
    provider = name;
    const target = `${role}:${name}/${models[name]}`;
    world.env = environmentOf(name, providers.url) as Record<string, string>;
    const endpoint = name === "openai" || name === "ollama" ? `${own.url}/v1` : own.url;
    world.write("proctor.config.json", { targets: [{ target, endpoint }] });
    const { trials, header } = await world.sit(flags(target));
    expect(trials).toMatchObject([{ how: "completed" }]);
    expect([own.requests.length, providers.requests.length]).toEqual([1, 0]);
    expect(header.targets[0]?.identity.endpoint).toBe(endpoint);
  });

  test.each(roles)("%s: is told its options, which are part of its identity", async (role) => {
    provider = "anthropic";
    const target = `${role}:${models.anthropic}`;
    world.env = environmentOf("anthropic", providers.url) as Record<string, string>;
    const sit = async (options: object) => {
      world.write("proctor.config.json", { targets: [{ target, options }] });
      return world.sit({ ...flags(target), cache: true });
    };
    const { header } = await sit({ max_tokens: 77, temperature: 0.25 });
    expect(JSON.parse(providers.requests[0]!.body)).toMatchObject({ max_tokens: 77, temperature: 0.25 });
    expect(header.targets[0]?.identity.options).toMatchObject({ max_tokens: 77, temperature: 0.25 });
    expect((await sit({ max_tokens: 77, temperature: 0.25 })).trials[0]?.cached).toBeDefined();
    expect((await sit({ max_tokens: 78, temperature: 0.25 })).trials[0]?.cached).toBeUndefined();
  });

  test.each([
    [
      { thinking: "high" },
      /options\.thinking of judge:claude-haiku-4-5 in the configuration/,
      /max_tokens, temperature/,
    ],
    [{ max_token: 5 }, /options\.max_token of/, /max_tokens/],
    [
      { max_tokens: "many" },
      /options\.max_tokens of judge:claude-haiku-4-5 in the configuration cannot be used/,
      undefined,
    ],
  ])("%j is refused with its place, not ignored", async (options, message, hint) => {
    const target = `judge:${models.anthropic}`;
    world.env = environmentOf("anthropic", providers.url) as Record<string, string>;
    world.write("proctor.config.json", { targets: [{ target, options }] });
    await expect(world.sit(flags(target))).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(message),
      ...(hint && { hint: expect.stringMatching(hint) }),
    });
    expect(providers.requests).toEqual([]);
  });

  test("options of agents on the command line are no matter of a model's", async () => {
    provider = "anthropic";
    const target = `judge:${models.anthropic}`;
    world.env = environmentOf("anthropic", providers.url) as Record<string, string>;
    expect((await world.sit({ ...flags(target), sandbox: "off" })).trials).toHaveLength(1);
  });
});

test("a router sees the cards in another order for every ask and every run", async () => {
  provider = "anthropic";
  for (const name of ["beta", "gamma", "delta", "epsilon"]) world.skill(name);
  world.skill(
    "alpha",
    Array.from({ length: 40 }, (_, index) => ({ query: `Question ${index}`, should_trigger: false })),
  );
  world.env = environmentOf("anthropic", providers.url) as Record<string, string>;
  await world.sit({ ...flags(`router:${models.anthropic}`), runs: 2, earlyStop: false });
  const orders = providers.requests.map(({ body }) =>
    [...body.matchAll(/- (\w+): Does the work/g)].map(([, name]) => name).join(),
  );
  expect(orders).toHaveLength(80);
  // Of 120 orders 80 draws meet about 59; with one order a run it would be two.
  expect(new Set(orders).size).toBeGreaterThan(40);
  const firsts = new Map<string, number>();
  for (const order of orders) firsts.set(order.split(",")[0]!, (firsts.get(order.split(",")[0]!) ?? 0) + 1);
  expect(Math.max(...firsts.values())).toBeLessThan(32);
});
