// Bundles src into a few files in dist (start-up is what a person waits for) and writes the type declarations beside them.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { buildViewer } from "./viewer.mjs";

const require = createRequire(import.meta.url);
const { dependencies, peerDependencies = {} } = JSON.parse(readFileSync("package.json", "utf8"));
// What every command needs goes into the bundle: Node takes longer to find and open their many small files than to run them.
const inside = [
  "commander",
  "fast-string-truncated-width",
  "fast-string-width",
  "jsonc-parser",
  "picocolors",
  "yaml",
  "zod",
];
const outside = [...Object.keys(dependencies), ...Object.keys(peerDependencies)].filter(
  (name) => !inside.includes(name),
);

const bundle = await rolldown({
  input: { "cli/main": "src/cli/main.ts", index: "src/index.ts" },
  platform: "node",
  resolve: { mainFields: ["module", "main"] },
  external: (id) => id.startsWith("node:") || outside.some((name) => id === name || id.startsWith(`${name}/`)),
});
const output = { dir: "dist", format: "esm", chunkFileNames: "chunks/[name]-[hash].js" };
// The old build goes only when the new one is known to work.
await bundle.generate(output);
rmSync("dist", { recursive: true, force: true });
await bundle.write(output);
await bundle.close();
// What the page is made of goes into it, so their licences ship too.
const inPage = [
  "preact",
  "@preact/signals",
  "@preact/signals-core",
  "d3-scale",
  "d3-shape",
  "d3-array",
  "d3-interpolate",
  "d3-color",
  "d3-format",
  "d3-time",
  "d3-time-format",
  "d3-path",
];
writeFileSync("dist/licenses.txt", [...inside, ...inPage].map(licence).join("\n\n"));
await buildViewer("dist/page.html");

const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" });

function licence(name) {
  const folder = join("node_modules", name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}
