import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runMain } from "../cli/run-main.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("refund", [{ query: "I want my money back", should_trigger: true }]);
  world.write(".git/HEAD", "ref: refs/heads/main\n");
});
afterEach(() => world.remove());

const counting = `{
  name: "count", about: "counts trials",
  async *render(scores, { source }) {
    yield scores.run.id + "\\n";
    for await (const line of source.lines()) if (line.type === "trial") yield "trial " + line.target + "\\n";
  },
}`;

test("a reporter of the configuration is used like any other, and reads the record", async () => {
  world.write("proctor.config.mjs", `export default { reporters: ["json=out/report.json", ${counting}] };`);
  const shown = await runMain(world.dir, ["run"]);
  expect(shown).toMatchObject({ stderr: "", stdout: expect.stringMatching(/^\d{4}-\d\d-\d\d-a\ntrial embedded\n$/) });
  expect(JSON.parse(readFileSync(join(world.dir, "out/report.json"), "utf8")).version).toBe(1);
  await runMain(world.dir, ["report", "--reporter", "count=out/count.txt"]);
  expect(readFileSync(join(world.dir, "out/count.txt"), "utf8")).toBe(shown.stdout);
});

test("one without a function to render is told when the configuration is read", async () => {
  world.write("proctor.config.mjs", `export default { reporters: [{ name: "count", about: "" }] };`);
  expect(await runMain(world.dir, ["run"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no function render"),
  });
});

test("one that throws is a fault of that reporter", async () => {
  world.write(
    "proctor.config.mjs",
    `export default { reporters: [{ name: "count", about: "", render() { throw new Error("oh no"); } }] };`,
  );
  expect(await runMain(world.dir, ["run"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("The reporter count failed: oh no"),
  });
});

test("a report goes to an address only in a format that is sent", async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.on("data", (data) => bodies.push(`${request.headers["content-type"]} ${data}`));
    request.on("end", () => response.writeHead(request.url === "/no" ? 503 : 200).end("busy"));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    world.write(
      "proctor.config.mjs",
      `export default { reporters: [{ name: "hook", about: "", posts: "text/plain", render: () => "passed" }] };`,
    );
    expect((await runMain(world.dir, ["run", "--reporter", `hook=${url}/hook`])).code).not.toBe(2);
    expect(bodies).toEqual(["text/plain passed"]);
    expect((await runMain(world.dir, ["report", "--reporter", `json=${url}`])).stderr).toContain(
      "json writes to a file",
    );
    expect((await runMain(world.dir, ["report", "--reporter", `hook=${url}/no`])).stderr).toContain(
      "it answers 503 busy",
    );
  } finally {
    server.close();
  }
});
