import { readdirSync, symlinkSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Viewing } from "../../src/verbs/view/server.ts";
import { view } from "../../src/verbs/view/view.ts";
import { World } from "../world.ts";

let world: World;
let viewing: Viewing;
const sockets: Socket[] = [];
beforeAll(async () => {
  world = new World();
  world.skill("a", [{ query: "do a", should_trigger: true }]);
  world.script({ default: { skills: [], text: "hello" } });
  const { place } = await world.sit({ runs: 1 });
  // Beside the runs, and among them as links: whatever a name says, it leads to none of these.
  world.write(".proctor/secret/record.jsonl", "SECRET");
  world.write("secret/record.jsonl", "SECRET");
  symlinkSync(join(world.dir, "secret"), join(place.dir, "..", "linked"));
  viewing = await view({ cwd: world.dir });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await viewing.close();
  world.remove();
});

const port = () => Number(new URL(viewing.url).port);
const token = () => new URL(viewing.url).pathname;

function dial(): Socket {
  const socket = connect(port(), "127.0.0.1");
  socket.on("error", () => {});
  sockets.push(socket);
  return socket;
}

/** Sends bytes as they are: no client would. Returns all that is answered until the server closes, or until a text. */
function raw(bytes: string, until?: string): Promise<string> {
  const socket = dial();
  let answered = "";
  return new Promise((resolve) => {
    socket.on("data", (data) => {
      answered += data.toString("latin1");
      if (until !== undefined && answered.includes(until)) resolve(answered);
    });
    socket.on("close", () => resolve(answered));
    socket.write(bytes, "latin1");
  });
}

const request = (line: string, ...headers: string[]) =>
  raw(
    `${line} HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nConnection: close\r\n${headers.map((one) => `${one}\r\n`).join("")}\r\n`,
  );
const status = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const isUp = async () => expect(status(await request(`GET ${token()}runs`))).toBe(200);

describe("an address that leads nowhere", () => {
  test.each([
    ["*", 400],
    ["http://127.0.0.1/", 400],
    ["http://evil.example/TOKENruns", 400],
    ["//evil.example/TOKENruns", 404],
    ["//", 404],
    ["/\\", 404],
    ["/%", 404],
    ["/[", 404],
    ["/TOKEN%2e%2e/%2e%2e/etc/passwd", 404],
    ["/TOKEN..%2f..%2f..%2fetc%2fpasswd", 404],
    ["/TOKEN..%5c..%5csecret%5crecord.jsonl", 404],
    ["/TOKEN%252e%252e%252fsecret", 404],
    ["/TOKEN%c0%ae%c0%ae/secret", 404],
    ["/TOKEN%00", 404],
    ["/TOKENdata%00.html", 404],
    ["/TOKENdata/..;/secret", 404],
    ["/TOKEN.proctor/secret/record.jsonl", 404],
  ])("%s is answered with %i, and the server goes on", async (path, expected) => {
    const answer = await request(`GET ${path.replace(/\/?TOKEN/, token())}`);
    expect(status(answer)).toBe(expected);
    expect(answer).not.toMatch(/SECRET|root:|\n\s+at /);
    await isUp();
  });

  test.each([
    ...[
      "..",
      ".",
      "../secret",
      "../../secret",
      "..%2fsecret",
      "%2e%2e%2fsecret",
      "..%5csecret",
      "linked",
      "linked%2f",
      "%00",
      "__proto__",
    ],
    ...["constructor", "toString", "record.jsonl", "%ff", "a".repeat(8_000), "%E2%80%AE"],
  ])("run=%s is no run, for data, trials, a trial and events", async (run) => {
    for (const path of ["data", "trials", "trial"]) {
      const answer = await request(`GET ${token()}${path}?run=${run}&target=x&ask=..%2f..&number=1e999`);
      expect(status(answer)).toBe(404);
      expect(answer).not.toContain("SECRET");
    }
    const events = await raw(
      `GET ${token()}events?run=${run} HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\n\r\n`,
      "event: ",
    );
    expect(events).toContain("event: failed");
    expect(events).not.toContain("SECRET");
  });
});

describe("who is not asked for", () => {
  test.each([
    ["a host with the port and more", (own: string) => `${own}.evil.example`],
    ["a host before an at sign", (own: string) => `${own}@evil.example`],
    ["another port", () => "127.0.0.1:1"],
    ["all addresses", (own: string) => own.replace("127.0.0.1", "0.0.0.0")],
    ["the same address in another form", (own: string) => own.replace("127.0.0.1", "2130706433")],
    ["none", () => ""],
  ])("%s as Host is refused", async (_, host) => {
    const own = `127.0.0.1:${port()}`;
    const answer = await raw(`GET ${token()}runs HTTP/1.1\r\nHost: ${host(own)}\r\nConnection: close\r\n\r\n`);
    expect(status(answer)).toBe(403);
  });

  test("no Host, two of them, and a page that names itself in another case", async () => {
    expect([400, 403]).toContain(status(await raw(`GET ${token()}runs HTTP/1.1\r\nConnection: close\r\n\r\n`)));
    expect(status(await raw(`GET ${token()}runs HTTP/1.0\r\n\r\n`))).toBe(403);
    const two = `GET ${token()}runs HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1:${port()}\r\nConnection: close\r\n\r\n`;
    expect([400, 403]).toContain(status(await raw(two)));
    for (const origin of [
      "https://127.0.0.1:PORT",
      "http://127.0.0.1:PORT.evil.example",
      "HTTP://LOCALHOST",
      "file://",
      "",
    ])
      expect(status(await request(`GET ${token()}runs`, `Origin: ${origin.replace("PORT", String(port()))}`))).toBe(
        403,
      );
    for (const site of ["same-site", "cross-site", "anything"])
      expect(status(await request(`GET ${token()}runs`, `Sec-Fetch-Site: ${site}`))).toBe(403);
  });

  test("the token is one segment of the path, whole: not in the query, a header, a cookie, in another case or encoded away", async () => {
    const bare = token().replaceAll("/", "");
    for (const path of [
      `/?${bare}`,
      `/?token=${bare}`,
      `/${bare.toLowerCase()}X/`,
      `/${bare}`.slice(0, -1),
      `/${bare} /`.replace(" ", "%20"),
    ])
      expect(status(await request(`GET ${path}`))).toBe(404);
    expect(
      status(
        await request("GET /", `Cookie: token=${bare}`, `Authorization: Bearer ${bare}`, `X-Original-URL: ${token()}`),
      ),
    ).toBe(404);
  });
});

describe("who wants too much", () => {
  test("a head of a megabyte and a body that nobody asked for are refused, and the server goes on", async () => {
    expect(status(await request(`GET ${token()}runs`, `X: ${"a".repeat(1_000_000)}`))).toBe(431);
    expect([414, 431]).toContain(status(await request(`GET ${token()}runs?${"a".repeat(1_000_000)}`)));
    expect(status(await request(`POST ${token()}runs`, "Content-Length: 99999999999"))).toBe(405);
    await isUp();
  });

  test("requests that are never finished hold nobody up, and neither the end", async () => {
    for (let count = 0; count < 100; count++)
      dial().write(`GET ${token()}runs HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nX-Slow: `);
    await isUp();
    await viewing.close();
    viewing = await view({ cwd: world.dir });
  });

  test("sixty-four may follow a run; the next are told so, until one is gone", async () => {
    const follow = () => raw(`GET ${token()}events HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\n\r\n`, "\r\n\r\n");
    const first = await Promise.all(Array.from({ length: 64 }, follow));
    expect(first.map(status)).toEqual(Array.from({ length: 64 }, () => 200));
    expect(status(await follow())).toBe(503);
    await isUp();
    for (const socket of sockets.slice(0, 32)) socket.destroy();
    await expect.poll(async () => status(await follow()), { timeout: 30_000 }).toBe(200);
    expect(status(await request(`HEAD ${token()}events`))).toBe(405);
  });
});

test("looking changes nothing on the disk", async () => {
  const before = readdirSync(world.dir, { recursive: true }).sort();
  for (const path of ["", "runs", "data", "trials"]) expect(status(await request(`GET ${token()}${path}`))).toBe(200);
  expect(readdirSync(world.dir, { recursive: true }).sort()).toEqual(before);
});
