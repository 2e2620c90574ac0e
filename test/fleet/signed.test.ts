import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "../../src/base/index.ts";
import { type BundleFile, bundleRef, openBundle, packBundle } from "../../src/fleet/bundle/bundle.ts";
import { contentOf, keptBundle, removeOldBundles } from "../../src/fleet/bundle/kept-bundles.ts";
import { connect } from "../../src/fleet/wire/connect.ts";
import { createSigner } from "../../src/fleet/wire/signature.ts";
import { runMain } from "../cli/run-main.ts";

const KEY = "a key that all of the fleet share";
const file = (path: string, text: string, executable = false): BundleFile => ({
  path,
  data: Buffer.from(text),
  executable,
});

describe("a signed message", () => {
  const signer = createSigner({ PROCTOR_FLEET_KEY: KEY });

  test.each([
    ["short", { text: "hello" }],
    ["long", { text: "hello ".repeat(10_000) }],
  ])("is opened by whoever has the key (%s)", (_, message) => {
    expect(createSigner({ PROCTOR_FLEET_KEY: KEY }).open("job", "s1", signer.sign("job", "s1", message))).toEqual(
      message,
    );
  });

  test("is opened for its own run and as its own kind alone, and with the key alone", () => {
    const signed = signer.sign("job", "s1", { id: "1" });
    expect(signer.open("result", "s1", signed)).toBeUndefined();
    expect(signer.open("job", "s2", signed)).toBeUndefined();
    expect(createSigner({ PROCTOR_FLEET_KEY: `${KEY}!` }).open("job", "s1", signed)).toBeUndefined();
    for (const meddled of [
      "",
      "x",
      signed.slice(0, -1),
      signed.replace('"1"', '"2"'),
      `${"0".repeat(64)}${signed.slice(64)}`,
      undefined,
      7,
    ])
      expect(signer.open("job", "s1", meddled)).toBeUndefined();
  });

  test("needs a key that is long enough", () => {
    expect(() => createSigner({})).toThrow("PROCTOR_FLEET_KEY is not set.");
    expect(() => createSigner({ PROCTOR_FLEET_KEY: "short" })).toThrow(
      "it has 5 characters, and at least 16 are needed",
    );
  });
});

describe("a bundle", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "proctor-bundles-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("is named by what it holds, in whatever order, and is unpacked as it was", async () => {
    const files = [file("b/run.sh", "#!/bin/sh\n", true), file("a.txt", "Ä")];
    const { ref, packed } = await packBundle(files);
    expect(bundleRef(files.toReversed())).toEqual(ref);
    expect(bundleRef([file("b/run.sh", "#!/bin/sh\n"), file("a.txt", "Ä")]).hash).not.toBe(ref.hash);
    const dir = contentOf(await keptBundle(folder, ref, async () => packed));
    expect(readFileSync(join(dir, "a.txt"), "utf8")).toBe("Ä");
    expect(statSync(join(dir, "b", "run.sh")).mode & 0o111).not.toBe(0);
    expect(statSync(join(dir, "a.txt")).mode & 0o111).toBe(0);
  });

  test.each(["../out.txt", "a/../../out.txt", "/etc/out.txt", "", "a//b", "a/./b", "a\\..\\b", "a\0b"])(
    "cannot hold the path %j",
    async (path) => {
      const whole = Buffer.from(`${JSON.stringify([[path, 1, 0]])}\nx`);
      const ref = { hash: sha256(whole), bytes: whole.length };
      await expect(openBundle(gzipSync(whole), ref)).rejects.toThrow("a file with an invalid path");
    },
  );

  test.each(["", "{", "{}", "[1]", '[["a.txt"]]'])("whose list is damaged (%j) is fetched again", async (damage) => {
    const { ref, packed } = await packBundle([file("a.txt", "one")]);
    const dir = await keptBundle(folder, ref, async () => packed);
    writeFileSync(join(dir, "list.json"), damage);
    const again = contentOf(await keptBundle(folder, ref, async () => packed));
    expect(readFileSync(join(again, "a.txt"), "utf8")).toBe("one");
  });

  test("that is not what its name says is refused: another content, a cut one, one that swells", async () => {
    const { ref, packed } = await packBundle([file("a.txt", "one")]);
    const other = await packBundle([file("a.txt", "two")]);
    await expect(openBundle(other.packed, ref)).rejects.toThrow("not the one that was announced");
    await expect(openBundle(packed.subarray(0, 10), ref)).rejects.toThrow("not the one that was announced");
    await expect(openBundle(gzipSync(Buffer.alloc(5_000_000)), ref)).rejects.toThrow("not the one that was announced");
  });

  test.each(["../../precious", "..", "", "A".repeat(64), `${"a".repeat(63)}/`])(
    "has no name like %j, and nothing is removed there",
    async (hash) => {
      const kept = join(folder, "a", "bundles");
      mkdirSync(join(folder, "precious"));
      mkdirSync(kept, { recursive: true });
      await expect(keptBundle(kept, { hash, bytes: 1 }, async () => Buffer.alloc(1))).rejects.toThrow(
        "the bundle's name is not valid",
      );
      expect(readdirSync(folder).sort()).toEqual(["a", "precious"]);
      expect(readdirSync(kept)).toEqual([]);
    },
  );

  test("that is kept is checked again before it is used, and fetched again when it was changed", async () => {
    const { ref, packed } = await packBundle([file("a.txt", "one"), file("b.txt", "two")]);
    let fetched = 0;
    const fetch = async () => {
      fetched++;
      return packed;
    };
    const dir = contentOf(await keptBundle(folder, ref, fetch));
    await keptBundle(folder, ref, fetch);
    expect(fetched).toBe(1);
    writeFileSync(join(dir, "a.txt"), "changed");
    await keptBundle(folder, ref, fetch);
    expect(fetched).toBe(2);
    expect(readFileSync(join(dir, "a.txt"), "utf8")).toBe("one");
    rmSync(join(dir, "b.txt"));
    symlinkSync("/etc/hostname", join(dir, "b.txt"));
    await keptBundle(folder, ref, fetch);
    expect(fetched).toBe(3);
    expect(readFileSync(join(dir, "b.txt"), "utf8")).toBe("two");
  });
});

describe("two workers on one machine", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "proctor-bundles-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("fetch the same bundle at once: the one that comes second leaves the first one's alone", async () => {
    const { ref, packed } = await packBundle([file("a.txt", "one")]);
    let first = 0;
    const dir = await keptBundle(folder, ref, async () => {
      first = statSync(await keptBundle(folder, ref, async () => packed)).ino;
      return packed;
    });
    expect(statSync(dir).ino).toBe(first);
    expect(readdirSync(folder)).toEqual([ref.hash]);
  });

  test("clear away old bundles at once: one that is gone already is nobody's fault", () => {
    symlinkSync("nowhere", join(folder, "gone"));
    mkdirSync(join(folder, "old"));
    removeOldBundles(folder, Date.now() + 15 * 24 * 3_600_000);
    expect(readdirSync(folder)).toEqual(["gone"]);
  });
});

describe("an address that cannot be used is told, without its password", () => {
  test.each([
    ["http://host", "it must begin with redis:// or rediss://"],
    ["nonsense", "it is not a URL"],
    ["redis://", "is not the address of a Redis"],
  ])("%s", async (url, why) => {
    await expect(connect(url)).rejects.toThrow(why);
  });

  test("on the command line, too", async () => {
    const env = { PROCTOR_FLEET_KEY: KEY };
    const { code, stderr } = await runMain(tmpdir(), ["doctor", "https://user:pa55-w0rd-x@host:1"], env);
    expect(code).toBe(2);
    expect(stderr).toContain("https://host:1 is not the address of a Redis");
    expect(stderr).not.toContain("pa55");
    const without = await runMain(tmpdir(), ["worker", "redis://127.0.0.1:1"]);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("PROCTOR_FLEET_KEY is not set.");
  });
});
