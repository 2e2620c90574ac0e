import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Preloaded: writes down every flag that is set, and sets it. */
const LISTEN = `data:text/javascript,${encodeURIComponent(`
  import { syncBuiltinESMExports } from "node:module";
  import v8 from "node:v8";
  const set = v8.setFlagsFromString;
  v8.setFlagsFromString = (flag) => { set(flag); process.stderr.write("set " + flag + "\\n"); };
  syncBuiltinESMExports();
`)}`;

const flagsOf = (...args: string[]) => {
  const argv = ["--import", LISTEN, "--import", "jiti/register", "src/cli/main.ts", ...args];
  const { status, stderr } = spawnSync(process.execPath, argv, {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  return { status, flags: stderr.split("\n").filter((line) => line.startsWith("set ")) };
};

test("a command has the heap looked at whenever it has grown by half; saying the version takes no time for that", () => {
  expect(flagsOf("--help")).toEqual({ status: 0, flags: ["set --heap-growing-percent=50"] });
  expect(flagsOf("--version")).toEqual({ status: 0, flags: [] });
});
