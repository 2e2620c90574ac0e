import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createMask, hideFromOutput, safeOutput, secretsOf, secretsOfTarget } from "../../src/base/index.ts";
import { forgetHidden } from "../../src/base/text/output.ts";
import { createRecord, openCache } from "../../src/exam/record/index.ts";
import { createProgress, renderReport } from "../../src/reporters/index.ts";
import {
  allText,
  ask,
  footer,
  header,
  linesOf,
  question,
  staged,
  tempFolder,
  transcript,
  trial,
} from "../record/sample.ts";
import { scenes } from "../reporters/scenes.ts";
import { readSat, World } from "../world.ts";

describe("what counts as a secret", () => {
  const random = "zk9w8e7r6t5y4u3i2o1p";
  test.each<[string, string, string[]]>([
    // Names that say so.
    ["ANTHROPIC_API_KEY", "sk-ant-api03-abcdefghijkl", ["sk-ant-api03-abcdefghijkl"]],
    ["OPENAIKEY", random, [random]],
    ["GH_PAT", "0123456789abcdef0123", ["0123456789abcdef0123"]],
    ["GITHUB_TOKEN", "ghs_16C7e42F292c6912E7", ["ghs_16C7e42F292c6912E7"]],
    ["MYSQL_PWD", "swordfish", ["swordfish"]],
    ["PGPASSWORD", "hunter", ["hunter"]],
    ["DB_PASS", "correct horse battery", ["correct horse battery"]],
    ["CLIENT_SECRET", "battery-staple", ["battery-staple"]],
    ["apiKey", "abc123def456", ["abc123def456"]],
    ["npm_config__authToken", "abc123def456", ["abc123def456"]],
    ["STRIPE_KEY", "rk_live_51Habcdefgh", ["rk_live_51Habcdefgh"]],
    ["AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE", ["AKIAIOSFODNN7EXAMPLE"]],
    ["COHERE_KEY", "AbCdEfGhIjKlMnOpQrStUvWxYz", ["AbCdEfGhIjKlMnOpQrStUvWxYz"]],
    ["OTP_SEED", "JBSWY3DPEHPK3PXP", ["JBSWY3DPEHPK3PXP"]],
    ["CONTRASENA", "Secreto1234", ["Secreto1234"]],
    // Inside addresses, whatever the name.
    ["DATABASE_URL", "postgres://app:s3cr3t-pw@db:5432/app", ["s3cr3t-pw"]],
    ["REDIS", "redis://:abcdef99@cache", ["abcdef99"]],
    ["BASE", "https://proxy.example/v1?key=abcdef123456&x=1", ["abcdef123456"]],
    ["STORAGE", "AccountName=a;AccountKey=Zm9vYmFyMTIz;Suffix=x", ["Zm9vYmFyMTIz"]],
    [
      "SLACK_WEBHOOK_URL",
      "https://hooks.slack.com/services/T0/B0/abcdEFGH1234",
      ["https://hooks.slack.com/services/T0/B0/abcdEFGH1234"],
    ],
    [
      "NOTIFY",
      "https://discord.com/api/webhooks/123/abcdEFGH1234",
      ["https://discord.com/api/webhooks/123/abcdEFGH1234"],
    ],
    // Words, numbers, paths and addresses are not, whatever the name.
    ["SORT_KEY", "target", []],
    ["AUTH_MODE", "prompt", []],
    ["API_TOKEN", "trigger", []],
    ["SECRET_MODE", "question", []],
    ["POSTGRES_PASSWORD", "postgres", []],
    ["KEY_CLASS", "AbstractSingletonProxyFactory", []],
    ["GEMINI_AUTH_TYPE", "oauth-personal", []],
    ["TOKENIZERS_PARALLELISM", "false", []],
    ["MAX_THINKING_TOKENS", "31999", []],
    ["TOKEN_LIMIT", "1000000", []],
    ["AUTH_HOST", "localhost", []],
    ["AUTH_SERVER", "auth1.example.com:8443", []],
    ["AUTH_URL", "https://auth.example.com/login", []],
    ["SSH_AUTH_SOCK", "/tmp/ssh-XXXX1234/agent.99", []],
    ["XAUTHORITY", "/home/u/.Xauthority", []],
    ["GOOGLE_APPLICATION_CREDENTIALS", "/etc/keys/service-account.json", []],
    ["KEY_FILE", "./keys/id_ed25519", []],
    ["KEYBOARD_LAYOUT", "de-latin1-nodeadkeys", []],
    ["PWD", "/home/u/project1", []],
    ["OLDPWD", "/home/u/project22", []],
    ["PATH", "/usr/bin:/bin", []],
    ["PATTERN", "abc123def456", []],
    ["EDITOR", "abc123def456", []],
  ])("%s=%s", (name, value, expected) => {
    expect(secretsOf({ [name]: value })).toEqual(expected);
  });

  test("a target's own variable may be called anything", () => {
    expect(secretsOfTarget({ GATEWAY: random, LEVEL: "high", MAX_THINKING_TOKENS: "31999" })).toEqual([random]);
  });
});

describe("a secret is masked", () => {
  const mask = createMask(["k9-secret-Value-77"]);
  test.each(["", "user:", "a-longer-user:", "me@example.com:"])(
    "in Base64 after %j, as in Basic authentication",
    (before) => {
      const text = Buffer.from(`${before}k9-secret-Value-77`).toString("base64");
      const masked = mask(`Authorization: Basic ${text}`);
      for (let at = 0; at + 12 <= text.length; at++) {
        const part = Buffer.from(text.slice(at - (at % 4), at + 12), "base64").toString("latin1");
        if (part.includes("secret")) expect(masked).not.toContain(text.slice(at, at + 12));
      }
      expect(masked).toContain("[masked]");
    },
  );

  test.each([
    ["https://user:pa55word@host/v1", "https://user:[masked]@host/v1"],
    ["see https://host/v1?key=abcdef123 now", "see https://host/v1?key=[masked] now"],
    ["https://host/?api-key=abcdef123&b=1", "https://host/?api-key=[masked]&b=1"],
    ["https://hooks.slack.com/services/T000/B000/XXXXXXXX", "https://hooks.slack.com/services/[masked]"],
    ["https://host/a?page=12345678", "https://host/a?page=12345678"],
    [
      "mailto:me@example.com and http://localhost:8080/@scope",
      "mailto:me@example.com and http://localhost:8080/@scope",
    ],
  ])("in an address: %s", (text, expected) => {
    expect(createMask([])(text)).toBe(expected);
  });
});

/** Joined here, so that no scanner takes them for real ones. */
const TOKENS = [
  ["sk", "live", "51Habcdefghijklmnop"],
  ["rk", "test", "51Habcdefghijklmnop"],
  ["whsec", "abcdefghijklmnopqrstuvwx"],
  ["shpat", "0123456789abcdef0123456789abcdef"],
  ["dop", "v1", "0123456789abcdef0123456789abcdef"],
  ["lin", "api", "AbCdEf0123456789AbCdEf0123456789"],
  ["dckr", "pat", "AbCdEf0123456789AbCdEf01"],
  ["glsa", "AbCdEf0123456789AbCdEf01"],
].map((parts) => parts.join("_"));
const OTHER_TOKENS = [
  ["SG", "abcdefghijklmnopqrst", "ABCDEFGHIJKLMNOPQRST0123456789"].join("."),
  ["hvs", "CAESIJabcdefghijklmnopqrst"].join("."),
  ["pypi", "AgEIcHlwaS5vcmcCJGFiY2RlZmdo"].join("-"),
  ["gldt", "abcdefghij0123456789"].join("-"),
  ["xapp", "1", "A0123456789", "abcdef"].join("-"),
  ["nvapi", "abcdefghij0123456789"].join("-"),
  ["123456789", "AAabcdefghijabcdefghijabcdefghij012"].join(":"),
];

test.each([...TOKENS, ...OTHER_TOKENS])("a token is known by its shape: %s", (token) => {
  expect(createMask([])(`token=${token}, and "${token}"`)).toBe('token=[masked], and "[masked]"');
});

/** Every word that a record's structure is made of, as the value of a variable that sounds secret. */
const STRUCTURE = [
  "target",
  "prompt",
  "trigger",
  "question",
  "activations",
  "completed",
  "script",
  "loaded",
  "startedAt",
  "header",
  "attempts",
];

describe("structure is never masked", () => {
  let world: World;
  beforeEach(() => {
    world = new World();
    world.skill("alpha", [
      { query: "alpha please", should_trigger: true },
      { query: "nothing", should_trigger: false },
    ]);
    world.script({
      answers: [{ pattern: "alpha", skills: ["alpha"], text: "The password is Tr0ub4dor&3x." }],
      default: { skills: [] },
    });
  });
  afterEach(() => world.remove());

  test.each([...STRUCTURE, "alpha", "triggers.json", "script:answers.yaml", "skills/alpha/evals/triggers.json"])(
    "a run with PASSWORD=%s is kept and read again",
    async (word) => {
      world.env = { PASSWORD: word, SORT_KEY: word, AUTH_MODE: word, API_TOKEN: word };
      const { scores, trials, exit } = await world.sit({ runs: 1 });
      expect(trials).toHaveLength(2);
      expect(scores.targets[0]!.questions.map(({ verdict }) => verdict)).toEqual(["pass", "pass"]);
      expect(exit).toBe(0);
      const again = await world.sit({ runs: 1 });
      expect(again.trials.map(({ cached }) => cached !== undefined)).toEqual([true, true]);
    },
  );

  test("even by a mask that masks every word", async () => {
    const mask = (text: string) => text.replaceAll(/[a-z]+/gi, "[masked]");
    const root = tempFolder();
    const writer = await createRecord(root, header, { mask });
    await writer.question(question);
    await writer.trial(
      trial(1, { error: { reason: "api", message: "secret", retryable: false }, how: "error", checks: [] }),
      {
        transcript: transcript("secret words"),
      },
    );
    await writer.close(footer);
    const lines = await linesOf(writer.file);
    expect(lines).toHaveLength(4);
    expect(lines[2]).toMatchObject({
      target: "script:a.yaml",
      error: { reason: "api", message: "[masked]" },
      activations: [{ skill: "a" }],
    });
    const cache = openCache(root, { mask });
    const answers = cache.forTarget({ id: "t", kind: "script", identity: { options: {}, deterministic: false } }, [
      staged("a"),
    ]);
    answers.put(ask("q"), 1, { measuredAt: new Date().toISOString(), ms: 1, transcript: transcript("secret words") });
    expect(await answers.get(ask("q"), 1)).toMatchObject({
      transcript: { finalText: "[masked] [masked]", activations: [{ skill: "a" }] },
    });
    await cache.close();
  });

  test("and what the environment of a machine holds is in no file, whoever says it", async () => {
    const told = {
      DATABASE_URL: "postgres://app:Tr0ub4dor9x@db/app",
      GH_PAT: "0a1b2c3d4e5f6a7b8c9d",
      MYSQL_PWD: "swordfish-blue",
      SLACK_WEBHOOK_URL: "https://hooks.slack.com/services/T0/B0/abcdEFGH1234wxyz",
    };
    const values = ["Tr0ub4dor9x", told.GH_PAT, told.MYSQL_PWD, "abcdEFGH1234wxyz", "gw-4f9a8b7c6d5e"];
    const basic = (text: string) => Buffer.from(`user:${text}`).toString("base64");
    const said = [
      ...values,
      ...values.map((value) => `Authorization: Basic ${basic(value)}`),
      ...values.map(encodeURIComponent),
    ];
    world.write(
      "proctor.config.yaml",
      "targets:\n  - target: script:answers.yaml\n    env: { GATEWAY: gw-4f9a8b7c6d5e }\n",
    );
    world.script({
      answers: [{ pattern: "alpha", skills: ["alpha"], text: said.join(" ; ") }],
      default: { skills: [], text: said.join("\n") },
    });
    world.env = told;
    const { place } = await world.sit({ targets: undefined, runs: 1 } as never);
    expect((await readSat(place)).trials).toHaveLength(2);
    const kept = allText(join(world.dir, ".proctor"));
    expect(kept).toContain("[masked]");
    for (const value of [...values, ...values.map(basic)]) expect(kept).not.toContain(value);
  });

  test("and what a target's own variables and a database's address hold is in no file", async () => {
    world.env = { DATABASE_URL: "postgres://app:Tr0ub4dor&3x@db/app" };
    const { place } = await world.sit({ runs: 1 });
    expect(allText(join(world.dir, ".proctor"))).not.toContain("Tr0ub4dor");
    expect((await readSat(place)).exit).toBe(0);
  });
});

test("a line that could not be read again is written without what is wrong with it, and says so", async () => {
  const writer = await createRecord(tempFolder(), header, { mask: (text) => text });
  await writer.trial(
    trial(1, {
      costUsd: Number.NaN,
      usage: { inputTokens: Number.POSITIVE_INFINITY },
      attempts: [{ ms: 1, costUsd: Number.NaN }],
    }),
  );
  await writer.close(footer);
  expect((await linesOf(writer.file))[1]).toEqual({ ...trial(1), attempts: [{ ms: 1 }], leftOut: expect.any(String) });
});

test("a line that nobody could read is not written at all", async () => {
  const writer = await createRecord(tempFolder(), header, { mask: (text) => text });
  await expect(writer.trial(trial(1, { ms: Number.NaN }))).rejects.toThrow(/trial's ms is not/);
  await writer.trial(trial(2));
  await writer.close(footer);
  expect(readFileSync(writer.file, "utf8").split("\n")).toHaveLength(4);
  expect(await linesOf(writer.file)).toHaveLength(3);
});

/** The names of members, or of elements and attributes. */
function namesIn(text: string): string[] {
  return [
    ...new Set(
      [...text.matchAll(/"(\w+)"\s?:|<\/?(\w+)|\s(\w+)="/g)].map(
        ([, member, element, attribute]) => member ?? element ?? attribute ?? "",
      ),
    ),
  ];
}

describe("everything that is printed", () => {
  test.each([
    [
      "our colours stay",
      "\u001b[31mred\u001b[39m \u001b[1mbold\u001b[22m\n",
      "\u001b[31mred\u001b[39m \u001b[1mbold\u001b[22m\n",
    ],
    ["a title is not set", "a\u001b]0;title\u0007b", "a␛]0;title␇b"],
    ["the screen is not cleared", "\u001b[2J\u001b[1;1Hgone", "␛[2J␛[1;1Hgone"],
    ["text is not hidden", "\u001b[8msecret", "␛[8msecret"],
    ["a line is not overwritten", "good\rbad", "good␍bad"],
    ["no link is planted", "\u001b]8;;http://evil\u001b\\text", "␛]8;;http://evil␛\\text"],
    ["a line is not turned around", "a\u202egpj.exe", "a<U+202E>gpj.exe"],
    ["C1 controls", "a\u009b31mb", "a<U+009B>31mb"],
    ["tabs and line ends stay", "a\tb\n", "a\tb\n"],
  ])("%s", (_name, text, expected) => {
    expect(safeOutput(text)).toBe(expected);
  });

  test.each([
    ["::stop-commands::x", ": :stop-commands::x"],
    ["a\n  ::set-output name=exit-code::0\n", "a\n  : :set-output name=exit-code::0\n"],
    ["##[add-mask]e", "# #[add-mask]e"],
    ["text ##vso[task.setvariable variable=x]1", "text # #vso[task.setvariable variable=x]1"],
    ["::error file=a,line=1::said by us\n", "::error file=a,line=1::said by us\n"],
    ["a::b ## Heading", "a::b ## Heading"],
  ])("is no command of a CI service: %j", (text, expected) => {
    vi.stubEnv("GITHUB_ACTIONS", "true");
    expect(safeOutput(text)).toBe(expected);
    vi.unstubAllEnvs();
    for (const name of ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"]) vi.stubEnv(name, "");
    expect(safeOutput(text)).toBe(text);
    vi.unstubAllEnvs();
  });

  test("goes through one place: nothing else writes to the streams", () => {
    const allowed: Record<string, string> = {
      "src/cli/printing/print.ts": "the place",
      "src/cli/printing/long-work.ts": "one line that is drawn over: its text is made safe, its codes are ours",
      "src/cli/main.ts": "the version, before anything is loaded",
      "src/reporters/progress/progress.ts": "lines that are drawn over: their text is made safe, their codes are ours",
      "src/hosts/opencode/launch.ts": "text of another program",
      "src/graders/programs/run-assertions.ts": "text of another program",
    };
    const writes = /process\.(?:stdout|stderr)\.write|\bconsole\.\w+\(|\bstream\.write\(/;
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const found = files
      .map((name) => `src/${name.replaceAll("\\", "/")}`)
      .filter((name) => writes.test(readFileSync(name, "utf8")));
    expect(found.sort()).toEqual(Object.keys(allowed).sort());
  });

  test("while a run goes on, too: a live failure with a key and an escape in it", () => {
    hideFromOutput(["provider-key-12345"]);
    let written = "";
    let now = 0;
    const stream = { write: (text: string) => (written += text), isTTY: true, columns: 80, rows: 24 };
    const progress = createProgress({ stream, now: () => now });
    const target = {
      id: "t",
      done: 0,
      passed: 0,
      failed: 0,
      total: 1,
      running: 1,
      errors: {},
      retries: 0,
      spentUsd: 0,
    };
    progress.update({ targets: [target], cached: 0, saved: { trials: 0 } });
    now = 10_000;
    progress.tell(() => ["it said provider-key-12345 \u001b]0;title\u0007"]);
    expect(written).toContain("it said [masked] ␛]0;title␇");
    expect(written).not.toContain("provider-key");
  });

  test("keeps its structure, whatever the passwords of a machine are", () => {
    for (const format of ["json", "junit", "sarif", "gitlab"]) {
      const plain = renderReport(format, Object.values(scenes)[0]!());
      forgetHidden();
      for (const [at, name] of namesIn(plain).entries()) vi.stubEnv(`P${at}_PASSWORD`, name);
      expect(namesIn(safeOutput(plain)), format).toEqual(namesIn(plain));
      vi.unstubAllEnvs();
      forgetHidden();
    }
  });

  test("has a password that is a word masked where it is no name", () => {
    hideFromOutput(["swordfish"]);
    expect(safeOutput('{"swordfish": "the swordfish", "it": "swordfish"}')).toBe(
      '{"swordfish": "the [masked]", "it": "[masked]"}',
    );
    expect(safeOutput('<swordfish a="swordfish">swordfish')).toBe('<swordfish a="[masked]">[masked]');
  });

  test("has no secret in it", () => {
    hideFromOutput(["provider-key-12345"]);
    expect(safeOutput('{"error":"bad key provider-key-12345"}')).toBe('{"error":"bad key [masked]"}');
  });
});
