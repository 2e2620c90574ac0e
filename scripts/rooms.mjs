// The rooms of src/, from what depends on nothing to what depends on all.
// A room imports only from rooms above it, and only through their door, index.ts.
// There are no import cycles, not even within a room or through types alone. `import()` is exempt: it loads later.
import { posix } from "node:path";
import { importCycles, importGraph, importsOf } from "./house/imports.mjs";
import { readSources } from "./house/sources.mjs";

const rooms = [
  "base",
  "model",
  "hosts",
  "exam/find",
  "graders",
  "formats",
  "exam/read",
  "check",
  "exam/record",
  "loopback",
  "cards",
  "targets",
  "exam/score",
  "exam/plan",
  "exam/grade",
  "exam/ask",
  "exam",
  "fleet",
  "history",
  "reporters",
  "verbs",
  "cli",
];

/**
 * Cycles older than the rule, to be removed one by one. Add nothing here.
 * They are listed by file name without the folder, so that moving a folder does not change the list.
 */
const oldCycles = [];

const broken = [];
const sources = readSources(".", "src");

for (const source of sources) {
  const { file } = source;
  const from = roomOf(file);
  for (const { specifier, line } of importsOf(source)) {
    if (!specifier.startsWith(".")) continue;
    const to = posix.join(posix.dirname(file), specifier);
    const room = roomOf(to);
    if (from === undefined || room === from) continue;
    const place = `${file}:${line}`;
    if (room === undefined) broken.push(`${place}  ${from}/ may not import ${to}`);
    else if (rooms.indexOf(room) > rooms.indexOf(from))
      broken.push(`${place}  ${from}/ stands above ${room}/ and may not import from it`);
    else if (posix.basename(to) !== "index.ts")
      broken.push(`${place}  ${room}/ is entered by its door: import from ${room}/index.ts`);
  }
}

const cycles = importCycles(importGraph(sources, ["value", "type"]));
for (const cycle of cycles) {
  if (!oldCycles.some((old) => isPartOf(cycle, old))) broken.push(`import cycle: ${cycle.join(" ")}`);
}
for (const old of oldCycles) {
  if (!cycles.some((cycle) => isPartOf(cycle, old)))
    broken.push(`scripts/rooms.mjs  this cycle is gone, take it off the list: ${old}`);
}

for (const line of broken) console.error(line);
console.log(
  broken.length === 0
    ? `rooms: every import goes up, and through a door; ${cycles.length} old cycles are left`
    : `rooms: ${broken.length} imports break the rule`,
);
process.exitCode = broken.length === 0 ? 0 : 1;

function roomOf(path) {
  if (path.split("/").length < 3) return undefined;
  const room = rooms.find((one) => path.startsWith(`src/${one}/`));
  if (room === undefined) throw new Error(`${path} is in no room of the list (scripts/rooms.mjs)`);
  return room;
}

function isPartOf(cycle, old) {
  const names = old.split(" ");
  return cycle.every((file) => names.includes(posix.basename(file)));
}
