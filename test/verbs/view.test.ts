import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageTrial } from "../../src/reporters/html/page-data.ts";
import { unpackTrials } from "../../src/reporters/html/wire.ts";
import type { Viewing } from "../../src/verbs/view/server.ts";
import { view } from "../../src/verbs/view/view.ts";
import { World } from "../world.ts";

let world: World;
let viewing: Viewing;
let run: string;

beforeAll(async () => {
  world = new World();
  world.skill("a", [{ query: "do a", should_trigger: true }]);
  world.script({ default: { skills: [], text: "hello" } });
  run = (await world.sit({ runs: 1 })).place.run;
  world.write("secret/record.jsonl", "not a run of ours");
  viewing = await view({ cwd: world.dir });
});
afterAll(async () => {
  await viewing.close();
  world.remove();
});

interface Got {
  status: number;
  type: string;
  body: string;
  headers: Record<string, unknown>;
}

/** A plain request, with whatever headers: `fetch` would mend some of them. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Got> {
  const { port } = new URL(viewing.url);
  return new Promise((resolve, reject) => {
    const request = get(
      { host: "127.0.0.1", port, path, headers: { host: `127.0.0.1:${port}`, ...headers }, method },
      (response) => {
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          body += chunk;
          if (response.headers["content-type"]?.startsWith("text/event-stream") && body.includes("\n\n"))
            response.destroy();
        });
        const end = () =>
          resolve({
            status: response.statusCode ?? 0,
            type: String(response.headers["content-type"]),
            body,
            headers: response.headers,
          });
        response.on("close", end);
      },
    );
    request.on("error", reject);
    request.end();
  });
}

const token = () => new URL(viewing.url).pathname;

describe("the server of the page", () => {
  test("listens on 127.0.0.1 alone, under a token that cannot be guessed", () => {
    expect(viewing.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
  });

  test("shows the page, the runs, a run's data, a transcript and events to who knows the token", async () => {
    const page = await ask(token());
    expect(page).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
    expect(page.body).toContain("connect-src 'self'");
    expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(page.headers["x-content-type-options"]).toBe("nosniff");
    expect(JSON.parse((await ask(`${token()}runs`)).body)).toMatchObject([{ run, targets: ["script:answers.yaml"] }]);
    const data = JSON.parse((await ask(`${token()}data?run=${run}`)).body);
    expect(data.exam.run.id).toBe(run);
    const [{ ask: key }] = unpackTrials(JSON.parse((await ask(`${token()}trials?run=${run}`)).body)) as [PageTrial];
    const trial = await ask(`${token()}trial?run=${run}&target=script:answers.yaml&ask=${key}&number=1`);
    expect(JSON.parse(trial.body).steps).toContainEqual({ type: "text", turn: 1, text: { text: "hello", leftOff: 0 } });
    expect((await ask(`${token()}events`)).body).toBe('event: grown\ndata: {"live":false}\n\n');
  });

  test.each([
    ["without the token", () => "/"],
    ["with another token", () => `/${"A".repeat(32)}/`],
    ["with a token that is cut", () => `${token().slice(0, -3)}/data`],
    ["beside it", () => `/x${token()}`],
    ["for anything else", () => `${token()}package.json`],
    ["for a path", () => `${token()}../../etc/passwd`],
    ["for a run that is a path", () => `${token()}data?run=${encodeURIComponent("../../secret")}`],
    ["for a run that is a folder elsewhere", () => `${token()}data?run=${encodeURIComponent(`${world.dir}/secret`)}`],
    ["for a run there is none of", () => `${token()}data?run=2020-01-01-a`],
    ["for a trial there is none of", () => `${token()}trial?run=${run}&target=x&ask=y&number=1`],
  ])("answers nothing %s", async (_, path) => {
    const { status, body } = await ask(path());
    expect(status).toBe(404);
    expect(body).not.toMatch(/root:|not a run of ours|"exam"/);
  });

  test.each([
    ["another host name, made to point here", { host: "evil.example" }],
    ["a host without a port", { host: "127.0.0.1" }],
    ["a page of another site", { origin: "http://evil.example" }],
    ["a page of another server on this machine", { origin: "http://127.0.0.1:1" }],
    ["a sandboxed frame", { origin: "null" }],
    ["a link on another site", { "sec-fetch-site": "cross-site" }],
  ])("refuses %s, although it knows the token", async (_, headers) => {
    expect((await ask(`${token()}runs`, headers)).status).toBe(403);
  });

  test("only shows: whatever would change something is refused", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
      expect((await ask(`${token()}data`, {}, method)).status).toBe(405);
  });
});

test("without a run and without a skill there is nothing to look at", async () => {
  const empty = new World();
  await expect(view({ cwd: empty.dir })).rejects.toThrow(/no runs or skills/);
  empty.remove();
});
