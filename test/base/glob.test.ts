import fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { globMatcher } from "../../src/base/index.ts";

test.each<[glob: string, matching: string[], others: string[]]>([
  ["data/*.csv", ["data/a.csv", "data/.csv"], ["a.csv", "data/b/a.csv", "data/a.csv.gz"]],
  ["**/*.csproj", ["a.csproj", "src/a.csproj", "src/b/a.csproj"], ["a.csproj/b", "a.csprojx"]],
  ["a/**", ["a/b", "a/b/c", "a/.b"], ["b/a"]],
  ["a/**/z", ["a/z", "a/b/z", "a/b/c/z"], ["a/bz", "a/z/b"]],
  ["?[a-c][!x].t", ["1a2.t", "zcz.t"], ["1d2.t", "1ax.t", "1a.t"]],
  ["{a,b{1,2}}.txt", ["a.txt", "b1.txt", "b2.txt"], ["b.txt", "{a,b1}.txt"]],
  ["a{b}.txt", ["a{b}.txt"], ["ab.txt"]],
  ["a[.txt", ["a[.txt"], ["a.txt"]],
  ["./a+(b)|c$.txt", ["a+(b)|c$.txt"], ["ab.txt"]],
  ["a\\*\\[b\\].\\{x,y\\}", ["a*[b].{x,y}"], ["ab[b].{x,y}", "a*b.x"]],
  ["*ü?.txt", ["größüe.txt", "ü😀.txt"], ["ü.txt"]],
])("the glob %j", (glob, matching, others) => {
  const means = globMatcher(glob, { dot: true });
  expect(matching.filter((path) => !means(path))).toEqual([]);
  expect(others.filter((path) => means(path))).toEqual([]);
});

test("a wildcard means hidden names only where that is wanted", () => {
  const paths = [".a", "b/.a", ".b/a", "b/a"];
  expect(paths.filter(globMatcher("**/*"))).toEqual(["b/a"]);
  expect(paths.filter(globMatcher("**/.a"))).toEqual([".a", "b/.a"]);
  expect(paths.filter(globMatcher("**/*", { dot: true }))).toEqual(paths);
});

test("what picomatch finds with stars and question marks is found, and nothing else", () => {
  const last = fc.constantFrom("*", "?", "a", "b", "ab", "*a", "a*b", "?b");
  const part = fc.oneof(last, fc.constant("**"));
  const name = fc.stringMatching(/^[ab]{1,4}$/);
  const [globs, paths] = [
    fc.tuple(fc.array(part, { maxLength: 3 }), last),
    fc.array(name, { minLength: 1, maxLength: 4 }),
  ];
  fc.assert(
    fc.property(globs, paths, ([parts, end], names) => {
      const [glob, path] = [[...parts, end].join("/"), names.join("/")];
      expect([glob, path, globMatcher(glob)(path)]).toEqual([glob, path, picomatch(glob)(path)]);
    }),
    { numRuns: 400 },
  );
});

test("no glob takes for ever: it is a matter of counting, not of trying", () => {
  const letters = "a".repeat(2000);
  expect(globMatcher(`${"*a".repeat(50)}*b`)(letters)).toBe(false);
  expect(globMatcher(`${"**/a/".repeat(50)}b`)(`${"a/".repeat(2000)}c`)).toBe(false);
  expect(globMatcher("{a,b}".repeat(60))(letters)).toBe(false);
  for (const signs of ["[", "[]", "{", "{,", ",", "\\", "[!", "{[,"]) {
    const many = signs.repeat(5_000);
    expect(globMatcher(many)(letters)).toBe(false);
    expect(globMatcher(`{${many}}]`)(letters)).toBe(false);
  }
});
