// Runs one of the benchmarks in bench/: npm run bench -- NAME [options]. A file with a hyphen in its name belongs to another.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";

const folder = join(import.meta.dirname, "..", "bench");
const files = readdirSync(folder).filter((file) => /^[a-z]+\.(ts|mjs)$/.test(file));
const [name, ...options] = process.argv.slice(2);
const file = files.find((one) => parse(one).name === name);
if (file === undefined) {
  console.error(
    `usage: npm run bench -- NAME [options]\nbenchmarks: ${files.map((one) => parse(one).name).join(", ")}`,
  );
  process.exitCode = 2;
} else {
  const loader = file.endsWith(".ts") ? ["--import", "jiti/register"] : [];
  const { status } = spawnSync(process.execPath, [...loader, join(folder, file), ...options], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
