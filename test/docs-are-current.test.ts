import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { globSync } from "tinyglobby";
import { expect, test } from "vitest";
import { VERSION } from "../src/base/index.ts";
import { rules as checkRules } from "../src/check/index.ts";

const rules = Object.entries(checkRules);
const benches = readdirSync("bench").map((file) => parse(file).name);
const pageOf = (code: string) => `${code.slice(code.indexOf("/") + 1)}.md`;

test("the version is the one in package.json", () => {
  expect(VERSION).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
});

test("every script and benchmark that is named anywhere exists", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const texts = globSync(
    [
      "*.{md,yml,json}",
      ".ci/run",
      ".github/**",
      ".devcontainer/*",
      "{bench,docs,examples,scripts,src,test}/**/*.{md,mjs,ts}",
    ],
    { dot: true },
  );
  const named = texts.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bnpm run ([a-z:]+)(?: -- ([a-z]+))?/g)].map(
      ([text, script = "", word]) => ({
        text: `${file}: ${text}`,
        exists: Object.hasOwn(scripts, script) && (script !== "bench" || word === undefined || benches.includes(word)),
      }),
    ),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ exists }) => !exists).map(({ text }) => text)).toEqual([]);
});

test("every rule has a page in docs/rules, and every page a rule", () => {
  const pages = readdirSync("docs/rules").filter((name) => name !== "README.md");
  expect(pages.toSorted()).toEqual(rules.map(([code]) => pageOf(code)).toSorted());
});

test("every page names its rule and says what to do", () => {
  for (const [code] of rules) {
    const page = readFileSync(`docs/rules/${pageOf(code)}`, "utf8");
    expect(page, code).toContain(code);
    expect(page.length, code).toBeGreaterThan(150);
  }
});

test("the index of the rules is current (vitest -u writes it)", async () => {
  const row = ([code, { severity, title }]: (typeof rules)[number]) =>
    `| [${code}](${pageOf(code)}) | ${severity} | ${title} |`;
  const index = `# Rules of \`proctor check\`

The level is a rule's usual one. A problem may be milder or more serious when the facts are, and \`rules\` in \`proctor.config.*\` sets any
rule to \`off\`, \`info\`, \`warning\` or \`error\`: see [check](../check.md).

| rule | level | finds |
|---|---|---|
${rules
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(row)
  .join("\n")}
`;
  await expect(index).toMatchFileSnapshot("../docs/rules/README.md");
});

test("every type has a name of its own", () => {
  const places = new Map<string, string[]>();
  for (const file of globSync("src/**/*.ts")) {
    for (const [, name] of readFileSync(file, "utf8").matchAll(/^(?:export )?(?:interface|type) ([A-Z]\w*)/gm))
      places.set(name!, [...(places.get(name!) ?? []), file]);
  }
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

test("a file that asserts with `!` that something is there says in a comment why", () => {
  const silent = globSync("src/**/*.ts").filter((file) => {
    const source = readFileSync(file, "utf8");
    if (!/[\w)\]]!/.test(source) || /(?:\/\/|\*).*`!`/.test(source)) return false;
    const tree = JSON.stringify(parseAst(source, { lang: "ts" }), (_, value) =>
      typeof value === "bigint" ? "" : value,
    );
    return tree.includes('"TSNonNullExpression"');
  });
  expect(silent).toEqual([]);
});

test("every link of the docs leads to a page, and to a heading where it names one", () => {
  const broken: string[] = [];
  for (const file of ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", ...globSync("docs/**/*.md")]) {
    for (const [, link] of readFileSync(file, "utf8").matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link!)) continue;
      const [path, heading] = link!.split("#");
      const page = path === "" ? file : join(dirname(file), path!);
      if (!existsSync(page) || (heading !== undefined && !headingsOf(page).includes(heading)))
        broken.push(`${file}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test("a page of the package links to no page outside it", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  const shipped = globSync(
    files.flatMap((entry) => [entry, `${entry}/**`]).filter((entry) => /^(docs|[A-Z])/.test(entry)),
  );
  const outside = shipped.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\]\(([^)#\s]+\.md)/g)]
      .map(([, link]) => join(dirname(file), link!))
      .filter((page) => !/^[a-z]+:/.test(page) && !shipped.includes(page))
      .map((page) => `${file}: ${page}`),
  );
  expect(shipped).toContain("docs/run.md");
  expect(outside).toEqual([]);
});

/** As GitHub makes anchors of them. */
function headingsOf(page: string): string[] {
  return [...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
    text!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
