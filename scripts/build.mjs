// Bundles src into a few files in dist (start-up is what a person waits for) and writes the type declarations beside them.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";

const require = createRequire(import.meta.url);
const { dependencies, peerDependencies = {} } = JSON.parse(readFileSync("package.json", "utf8"));
const outside = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];

rmSync("dist", { recursive: true, force: true });

const bundle = await rolldown({
  input: { "cli/main": "src/cli/main.ts", index: "src/index.ts" },
  platform: "node",
  external: (id) => id.startsWith("node:") || outside.some((name) => id === name || id.startsWith(`${name}/`)),
});
await bundle.write({ dir: "dist", format: "esm", chunkFileNames: "chunks/[name]-[hash].js" });
await bundle.close();

const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" });
