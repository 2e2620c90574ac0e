import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "../../src");

test("help needs the hosts' facts, and neither their adapters nor what reads skills and events", () => {
  const loaded = [...reachable(join(source, "cli/program.ts"))].map((file) => relative(source, file));
  expect(loaded).toContain("hosts/list.ts");
  expect(loaded.filter((file) => /^(exam|model|check|targets)\/|^hosts\/reading\/|adapter\.ts$/.test(file))).toEqual(
    [],
  );
  const packages = loaded.flatMap((file) =>
    [...imports(join(source, file))].filter((name) => !/^(\.|node:)/.test(name)),
  );
  expect(packages.filter((name) => ["unbash", "picomatch", "zod", "ai"].includes(name))).toEqual([]);
});

test("a run without agents loads no adapter and no shell parser", () => {
  const loaded = [...reachable(join(source, "targets/index.ts"))].map((file) => relative(source, file));
  expect(loaded.filter((file) => /^hosts\/reading\/|\/adapter\.ts$/.test(file))).toEqual([]);
});

test("nothing of the page is loaded until somebody asks for it: neither by help, nor by a run, nor by other reports", () => {
  for (const entry of [
    "cli/program.ts",
    "cli/asking/run.ts",
    "cli/afterwards/report.ts",
    "verbs/index.ts",
    "reporters/index.ts",
  ]) {
    const loaded = [...reachable(join(source, entry))].map((file) => relative(source, file));
    const page = loaded.filter((file) => /^(verbs\/view|reporters\/html)\//.test(file));
    expect(
      page.filter((file) => !["reporters/html/reporter.ts"].includes(file)),
      entry,
    ).toEqual([]);
  }
});

/** Every file that is loaded with this one; what is imported when it is needed is not. */
function reachable(entry: string, found = new Set<string>()): Set<string> {
  found.add(entry);
  for (const name of imports(entry)) {
    const file = join(dirname(entry), name);
    if (name.startsWith(".") && !found.has(file)) reachable(file, found);
  }
  return found;
}

function* imports(file: string): Generator<string> {
  const text = readFileSync(file, "utf8");
  for (const [whole, name] of text.matchAll(/^(?:import|export)\b(?! type\b)[^;]*?\bfrom "([^"]+)";/gms)) {
    const names = /\{([^}]*)\}/
      .exec(whole)?.[1]
      ?.split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "");
    // `import { type A, type B }` loads nothing in the bundle.
    if (names === undefined || names.some((one) => !one.startsWith("type "))) yield name!;
  }
}
