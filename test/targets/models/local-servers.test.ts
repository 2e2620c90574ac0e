import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { SurveyedAgent } from "../../../src/targets/agents/index.ts";
import { findLocalServers } from "../../../src/targets/models/local-servers.ts";
import { modelTarget } from "../../../src/targets/models/target.ts";
import { judgementCost } from "../../../src/targets/models/text-judge.ts";
import { betterExaminees } from "../../../src/targets/suggest-target.ts";

/** However slow the machine is. */
const PATIENT = 30_000;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server on this machine that answers these paths. */
async function serve(paths: Record<string, unknown>, status = 200): Promise<string> {
  const server = createServer((request, response) => {
    const body = paths[request.url ?? ""];
    response.writeHead(body === undefined ? 404 : status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body ?? {}));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** No server at the usual ports is asked in these tests. */
const nobody = {
  OLLAMA_BASE_URL: "http://127.0.0.1:9/v1",
  LMSTUDIO_BASE_URL: "http://127.0.0.1:9/v1",
  LLAMACPP_BASE_URL: "http://127.0.0.1:9/v1",
  VLLM_BASE_URL: "http://127.0.0.1:9/v1",
};

test("Ollama, LM Studio, llama.cpp and vLLM are found by what they list, without models that only make vectors or run elsewhere", async () => {
  const away = { name: "gpt-oss:120b-cloud", remote_model: "gpt-oss:120b", remote_host: "https://ollama.com:443" };
  const ollama = await serve({ "/api/tags": { models: [{ name: "nomic-embed-text" }, away, { name: "qwen3:8b" }] } });
  const lmstudio = await serve({ "/v1/models": { data: [{ id: "google/gemma-3", owned_by: "organization_owner" }] } });
  const llamacpp = await serve({
    "/v1/models": { data: [{ id: "/home/me/my models/llama 3.gguf", owned_by: "llamacpp" }] },
  });
  const vllm = await serve({ "/v1/models": { data: [{ id: "Qwen/Qwen3-4B", owned_by: "vllm" }] } });
  const found = await findLocalServers(
    { OLLAMA_BASE_URL: ollama, LMSTUDIO_BASE_URL: lmstudio, LLAMACPP_BASE_URL: llamacpp, VLLM_BASE_URL: vllm },
    PATIENT,
  );
  expect(found).toEqual([
    { provider: "ollama", title: "Ollama", endpoint: ollama, models: ["qwen3:8b"] },
    { provider: "lmstudio", title: "LM Studio", endpoint: lmstudio, models: ["google/gemma-3"] },
    { provider: "llamacpp", title: "llama.cpp", endpoint: llamacpp, models: ["llama-3.gguf"] },
    { provider: "vllm", title: "vLLM", endpoint: vllm, models: ["Qwen/Qwen3-4B"] },
  ]);
});

test.each([
  ["nobody is there", {}, 200],
  ["somebody else answers", { "/api/tags": "<html>" }, 200],
  ["it has no model", { "/api/tags": { models: [] } }, 200],
  ["it refuses", { "/api/tags": { models: [{ name: "qwen3" }] } }, 401],
  [
    "a name could be taken for a flag or a line",
    { "/api/tags": { models: [{ name: "a b\n--x" }, { name: 7 }, null] } },
    200,
  ],
])("%s: nothing is found", async (_, paths, status) => {
  expect(await findLocalServers({ ...nobody, OLLAMA_BASE_URL: await serve(paths, status) }, PATIENT)).toEqual([]);
});

test("somebody else at the port of llama.cpp or vLLM may charge for what it passes on, and is not called free", async () => {
  const gateway = await serve({ "/v1/models": { data: [{ id: "gpt-5", owned_by: "openai" }] } });
  expect(await findLocalServers({ ...nobody, LLAMACPP_BASE_URL: gateway, VLLM_BASE_URL: gateway }, PATIENT)).toEqual(
    [],
  );
});

const own = { OLLAMA_BASE_URL: "http://127.0.0.1:9/v1" };
test.each([
  ["a server on this machine", "ollama/qwen3", own, 0],
  ["at its usual address", "lmstudio/qwen/qwen3-4b", {}, 0],
  ["a model that Ollama passes on to its makers", "ollama/gpt-oss:120b-cloud", own, null],
  ["a server elsewhere", "ollama/qwen3", { OLLAMA_BASE_URL: "https://ollama.example.com/v1" }, null],
  ["a provider", "openrouter/some/model", { OPENROUTER_API_KEY: "dummy" }, null],
])("what a trial costs: %s", (_, model, env, usd) => {
  const target = modelTarget("router", model, { env });
  expect(target.expectedCostUsd).toBe(usd);
  expect(target.note?.includes("it costs nothing")).toBe(usd === 0);
  expect(judgementCost(model, { env }).mostUsd).toBe(usd);
});

test("a price in the configuration holds on this machine, too", () => {
  const prices = { "ollama/qwen3": { input: 1, output: 1 } };
  expect(modelTarget("router", "ollama/qwen3", { env: own, prices }).expectedCostUsd).toBeGreaterThan(0);
});

test("an address that is not this machine's is not asked", async () => {
  expect(await findLocalServers({ ...nobody, OLLAMA_BASE_URL: "http://203.0.113.7:11434/v1" }, PATIENT)).toEqual([]);
});

test("a CLI with a login comes before a key, one with a key after it; one that cannot be kept from its tools is asked as the agent it is", async () => {
  const agent: Omit<SurveyedAgent, "id" | "title" | "speaks" | "keys" | "login"> = {
    path: "/bin/cli",
    tested: ["1", "2"],
    install: "",
    needs: [],
    ready: "login",
  };
  const keys = (present: boolean) => [{ name: "KEY", present }];
  const login = { state: "present", file: "login" } as const;
  const none = { state: "none", file: "login" } as const;
  const agents: SurveyedAgent[] = [
    { ...agent, id: "one", title: "One", speaks: true, keys: keys(false), login },
    { ...agent, id: "two", title: "Two", speaks: true, keys: keys(true), login: none },
    { ...agent, id: "three", title: "Three", speaks: false, keys: keys(false), login },
    { ...agent, id: "four", title: "Four", speaks: true, keys: keys(false), login: none },
    { ...agent, id: "five", title: "Five", speaks: false, keys: keys(true), login: none, ready: "no" },
    { ...agent, id: "six", title: "Six", speaks: true, keys: keys(true), login, path: undefined },
    {
      ...agent,
      id: "seven",
      title: "Seven",
      speaks: true,
      keys: [{ name: "SEVEN_OAUTH_TOKEN", present: true }],
      login: none,
    },
  ];
  const found = await betterExaminees({
    env: { ...nobody, OPENAI_API_KEY: "dummy" },
    trials: 1,
    skills: 1,
    survey: { agents },
  });
  expect(found.map(({ target, flags }) => [target, ...flags].join(" "))).toEqual([
    "router:cli/one --use-login",
    "three --use-login",
    "router:cli/seven",
    "router:openai/gpt-5-mini",
    "router:cli/two",
  ]);
  expect(found.map(({ onPlan }) => onPlan)).toEqual([true, true, true, undefined, undefined]);
});

test("a model server on this machine that is not running is named before anything is asked; one that listens is asked", async () => {
  const target = (url: string) => modelTarget("router", "ollama/qwen3", { env: { OLLAMA_BASE_URL: url } });
  const url = await serve({});
  expect(await target(url).missing?.()).toBeUndefined();
  await new Promise((resolve) => servers.pop()!.close(resolve));
  expect(await target(url).missing?.()).toBe(
    `nothing answers at ${new URL(url).origin}. Start the model server, or correct its address.`,
  );
  expect(await target("http://203.0.113.7:11434/v1").missing?.()).toBeUndefined();
});

test("the next better examinee is what is there, the cheapest first, with what it would cost", async () => {
  const ollama = await serve({ "/api/tags": { models: [{ name: "qwen3:8b" }] } });
  const env = { ...nobody, OLLAMA_BASE_URL: ollama, ANTHROPIC_API_KEY: "dummy", PATH: "", HOME: "/nonexistent" };
  const found = await betterExaminees({ env, trials: 52, skills: 7, probeMs: PATIENT });
  expect(found.map(({ target }) => target)).toEqual(["router:ollama/qwen3:8b", "router:anthropic/claude-haiku-4-5"]);
  expect(found[0]).toMatchObject({ costUsd: 0, flags: [], what: "Ollama on this machine, with qwen3:8b" });
  expect(found[1]!.costUsd).toBeCloseTo((52 * (1500 * 1 + 60 * 5)) / 1e6, 4);
  expect(await betterExaminees({ env: { ...nobody, PATH: "", HOME: "/nonexistent" }, trials: 1, skills: 1 })).toEqual(
    [],
  );
});

test("of several keys the cheapest model comes first, one of unknown price last; every variable that holds a key counts", async () => {
  const keys = { ANTHROPIC_API_KEY: "x", GOOGLE_API_KEY: "x", OPENAI_API_KEY: "x", OPENROUTER_API_KEY: "x" };
  const found = await betterExaminees({
    env: { ...nobody, ...keys, PATH: "", HOME: "/nonexistent" },
    trials: 100,
    skills: 7,
  });
  expect(found.map(({ target }) => target)).toEqual([
    "router:openai/gpt-5-mini",
    "router:google/gemini-2.5-flash",
    "router:anthropic/claude-haiku-4-5",
    "router:openrouter/openai/gpt-5-mini",
  ]);
  expect(found[1]).toMatchObject({ what: "google/gemini-2.5-flash, since GOOGLE_API_KEY is set" });
});

test("a router of a large library costs more than one of a small: it is shown every card with every question", async () => {
  const env = { ...nobody, ANTHROPIC_API_KEY: "dummy", PATH: "", HOME: "/nonexistent" };
  const [small, large] = await Promise.all(
    [5, 100].map(async (skills) => (await betterExaminees({ env, trials: 1, skills }))[0]!.costUsd),
  );
  expect(small).toBeCloseTo((1500 * 1 + 60 * 5) / 1e6, 6);
  expect(large).toBeCloseTo(((500 + 100 * 85) * 1 + 60 * 5) / 1e6, 6);
  const target = modelTarget("router", "anthropic/claude-haiku-4-5", { env });
  expect(target.costFor?.(100).expectedUsd).toBe(large);
  expect(target.costFor?.(100).mostUsd).toBeGreaterThan(5 * large!);
});
