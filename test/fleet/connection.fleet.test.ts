import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { openRecord } from "../../src/exam/record/index.ts";
import { isHere } from "../tools.ts";
import { until } from "./world/processes.ts";
import { TestRedis } from "./world/redis.ts";
import { test } from "./world/scene.ts";

describe.runIf(isHere("redis")).concurrent("a Redis that wants to be sure", () => {
  test("of a password: it is used, and neither printed nor recorded", async ({ scene }) => {
    const password = "open-s3same-4711";
    const { world, processes } = await scene({ questions: 2, redis: { args: ["--requirepass", password] } });
    const url = `redis://:${password}@127.0.0.1:${world.redis.port}`;
    const worker = processes.worker(world, "one", { url });
    const run = await processes.run(world, ["--workers", url]).ended;
    expect(run.code).toBe(0);
    const doctor = await processes.doctor(world, url);
    expect(doctor.stdout).toContain("1 worker, 2 trials at once");
    const record = readFileSync((await openRecord(world.dir)).file, "utf8");
    for (const text of [run.stdout, run.stderr, doctor.stdout, worker.out(), record])
      expect(text).not.toContain(password);

    const wrong = await processes.doctor(world, `redis://:not-the-password@127.0.0.1:${world.redis.port}`);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("Put the user and the password into the address");
    expect(wrong.stderr).not.toContain("not-the-password");
    const none = await processes.doctor(world);
    expect(none.stderr).toContain("NOAUTH");
  });

  test("of TLS: rediss:// is spoken, and a certificate that nobody vouches for is refused", async ({ scene }) => {
    const { world, processes } = await scene({ questions: 2 });
    await world.redis.remove();
    const dir = world.dir;
    const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: dir, stdio: "ignore" });
    openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      "key.pem",
      "-out",
      "cert.pem",
      "-days",
      "2",
      "-subj",
      "/CN=localhost",
      "-addext",
      "subjectAltName=DNS:localhost,IP:127.0.0.1",
    );
    const files = [
      "--tls-cert-file",
      join(dir, "cert.pem"),
      "--tls-key-file",
      join(dir, "key.pem"),
      "--tls-ca-cert-file",
      join(dir, "cert.pem"),
    ];
    world.redis = await TestRedis.start({
      args: ["--port", "0", "--tls-port", "PORT", "--tls-auth-clients", "no", ...files],
    });
    const url = `rediss://localhost:${world.redis.port}`;
    const refused = await processes.doctor(world, url);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/cannot be used: .*(self.signed|certificate)/i);
    world.env["NODE_EXTRA_CA_CERTS"] = join(dir, "cert.pem");
    const worker = processes.worker(world, "one", { url });
    await until("the worker is there", () => worker.out().includes("worker one at rediss://localhost"));
    expect((await processes.run(world, ["--workers", url]).ended).code).toBe(0);
  });

  test("without the packages for it, a sentence says what to install", async ({ scene }) => {
    const { world, processes } = await scene();
    const hook = join(world.dir, "hide.mjs");
    world.write(
      "hide.mjs",
      `import { register } from "node:module";\nregister("data:text/javascript," + encodeURIComponent('export async function resolve(name, context, next) { if (name === "bullmq" || name === "ioredis") throw Object.assign(new Error("not found"), { code: "ERR_MODULE_NOT_FOUND" }); return next(name, context); }'));`,
    );
    const { code, stderr } = await processes.worker(world, "one", { node: `--import ${hook}` }).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(
      "Workers need two packages that are not installed.\n  Install them with: npm install bullmq ioredis",
    );
  });
});
