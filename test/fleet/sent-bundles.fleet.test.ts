import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BundleFile, openBundle, packBundle } from "../../src/fleet/bundle/bundle.ts";
import { fetchBundle, sendBundle } from "../../src/fleet/bundle/sent-bundles.ts";
import { keys } from "../../src/fleet/wire/messages.ts";
import { TestRedis } from "./world/redis.ts";

let server: TestRedis;
let redis: Redis;
beforeAll(async () => {
  server = await TestRedis.start();
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.remove();
});

/** The largest that bytes without a pattern become: more than one piece, and longer than they were. */
function noise(bytes: number): BundleFile[] {
  const data = Buffer.alloc(bytes);
  for (let at = 0, state = 1; at < bytes; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    data[at] = state >>> 24;
  }
  return [{ path: "noise", data, executable: false }];
}

test("a bundle of several pieces that cannot be compressed arrives as it was", async () => {
  const { ref, packed } = await packBundle(noise(9_000_000));
  expect(packed.length).toBeGreaterThan(ref.bytes);
  await sendBundle(redis, ref, packed);
  expect(await redis.llen(keys.bundle(ref.hash))).toBeGreaterThan(2);
  const [file] = await openBundle(await fetchBundle(redis, ref), ref);
  expect(file?.data.length).toBe(9_000_000);
});

test("what somebody put in a bundle's place is given up after as many bytes as the bundle can have", async () => {
  const { ref } = await packBundle([{ path: "a.txt", data: Buffer.from("small"), executable: false }]);
  await expect(fetchBundle(redis, ref)).rejects.toThrow("not there yet");
  const key = keys.bundle(ref.hash);
  for (let piece = 0; piece < 50; piece++) await redis.rpush(key, Buffer.alloc(1_000_000));
  const before = Number(/total_net_output_bytes:(\d+)/.exec(await redis.info("stats"))?.[1]);
  await expect(fetchBundle(redis, ref)).rejects.toThrow("not the one that was announced");
  const sent = Number(/total_net_output_bytes:(\d+)/.exec(await redis.info("stats"))?.[1]) - before;
  expect(sent).toBeLessThan(1_200_000);
  await redis.del(key);
  for (let piece = 0; piece < 1_000; piece++) await redis.rpush(key, "");
  await expect(fetchBundle(redis, ref)).rejects.toThrow("not the one that was announced");
});
