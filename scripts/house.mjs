// Measures the source code: its size, and the habits we want fewer of.
//   node scripts/house.mjs [ROOT] [--json] [--cycles]
// ROOT is another checkout, so that the same script counts before and after a change.
// `--cycles` lists the files of every import cycle.
import { posix } from "node:path";
import { parseArgs } from "node:util";
import { countFile } from "./house/count-file.mjs";
import { importCycles, importGraph } from "./house/imports.mjs";
import { readSources } from "./house/sources.mjs";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean" }, cycles: { type: "boolean" } },
});
const root = positionals[0] ?? ".";
const counts = { src: count(readSources(root, "src")), viewer: count(readSources(root, "viewer/src")) };

if (flags.json) console.log(JSON.stringify(counts, undefined, 2));
else {
  const rows = Object.keys(counts.src).filter((name) => name !== "cycles");
  const width = Math.max(...rows.map((name) => name.length));
  console.log(`| ${"".padEnd(width)} | src | viewer/src |\n|${"-".repeat(width + 2)}|---|---|`);
  for (const name of rows)
    console.log(`| ${name.padEnd(width)} | ${shown(counts.src[name])} | ${shown(counts.viewer[name])} |`);
  if (flags.cycles) for (const folder of Object.values(counts)) printCycles(folder.cycles);
}

function shown(value) {
  return typeof value === "number" ? value.toLocaleString("en") : value;
}

function printCycles(cycles) {
  for (const [kind, list] of Object.entries(cycles)) {
    console.log(`\n${kind}: ${list.length}`);
    for (const cycle of list) console.log(`- ${cycle.length} files: ${cycle.join(" ")}`);
  }
}

function count(sources) {
  const files = sources.map(countFile);
  const sum = (of) => files.reduce((total, file) => total + of(file), 0);
  const folders = filesPerFolder(sources);
  const cycles = {
    "by value": importCycles(importGraph(sources, ["value"])),
    "with types": importCycles(importGraph(sources, ["value", "type"])),
    "with types and import()": importCycles(importGraph(sources, ["value", "type", "dynamic"])),
  };
  const largestFile = largest(files, ({ lines }) => lines);
  const longest = largest(
    files.flatMap(({ functions }) => functions),
    ({ lines }) => lines,
  );
  return {
    files: files.length,
    lines: sum(({ lines }) => lines),
    "code lines": sum(({ codeLines }) => codeLines),
    "tokens of code": sum(({ tokens }) => tokens),
    "lines over 120 characters": sum(({ wide }) => wide),
    "conditional spreads": sum(({ conditionalSpreads }) => conditionalSpreads),
    functions: sum(({ functions }) => functions.length),
    "functions with 4 parameters or more": sum(
      ({ functions }) => functions.filter(({ parameters }) => parameters >= 4).length,
    ),
    "doc comments": sum(({ docComments }) => docComments),
    "files of 15 lines or fewer": files.filter(({ lines }) => lines <= 15).length,
    folders: folders.size,
    "folders with more than 15 files": [...folders.values()].filter((inside) => inside > 15).length,
    "import cycles by value": cycles["by value"].length,
    "import cycles with types": cycles["with types"].length,
    "import cycles with types and import()": cycles["with types and import()"].length,
    "files in the largest import cycle": cycles["with types"][0]?.length ?? 0,
    "largest file": `${largestFile.lines} (${largestFile.file})`,
    "longest function": `${longest.lines} (${longest.name}, ${longest.place})`,
    cycles,
  };
}

function filesPerFolder(sources) {
  const folders = new Map();
  for (const { file } of sources) folders.set(posix.dirname(file), (folders.get(posix.dirname(file)) ?? 0) + 1);
  return folders;
}

function largest(items, sizeOf) {
  return items.reduce((best, item) => (sizeOf(item) > sizeOf(best) ? item : best));
}
