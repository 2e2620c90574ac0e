import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cacheFolder } from "../../src/base/index.ts";

const absolute = join(homedir(), "elsewhere");

test.each([
  ["XDG_CACHE_HOME comes first", { XDG_CACHE_HOME: absolute, HOME: "/h" }, join(absolute, "proctor")],
  ["a relative one is ignored", { XDG_CACHE_HOME: "cache", HOME: "/h" }, join("/h", ".cache", "proctor")],
  ["an empty one is ignored", { XDG_CACHE_HOME: "", HOME: "/h" }, join("/h", ".cache", "proctor")],
  ["without HOME it is the user's own", {}, join(homedir(), ".cache", "proctor")],
])("the cache folder: %s", (_, env, folder) => {
  expect(cacheFolder(env)).toBe(folder);
});
