// The rooms of src/, from what depends on nothing to what depends on all.
// A room imports only from rooms above it, and only through their door, index.ts.
import { readFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { globSync } from "tinyglobby";

const rooms = [
  "base",
  "options",
  "skills",
  "transcripts",
  "hosts",
  "graders",
  "suites",
  "records",
  "loopback",
  "targets",
  "scores",
  "plan",
  "sitting",
  "fleet",
  "runs",
  "reports",
  "api",
  "cli",
];
const broken = [];

for (const file of globSync("src/**/*.ts")) {
  const from = roomOf(file);
  for (const { specifier, line } of imports(readFileSync(file, "utf8"))) {
    if (!specifier.startsWith(".")) continue;
    const to = join(dirname(file), specifier).split(sep).join("/");
    const room = roomOf(to);
    if (from === undefined || room === from) continue;
    const place = `${file}:${line}`;
    if (room === undefined) broken.push(`${place}  ${from}/ may not import ${to}`);
    else if (rooms.indexOf(room) > rooms.indexOf(from)) broken.push(`${place}  ${from}/ stands above ${room}/ and may not import from it`);
    else if (posix.basename(to) !== "index.ts") broken.push(`${place}  ${room}/ is entered by its door: import from ${room}/index.ts`);
  }
}

for (const line of broken) console.error(line);
console.log(broken.length === 0 ? "rooms: every import goes up, and through a door" : `rooms: ${broken.length} imports break the rule`);
process.exitCode = broken.length === 0 ? 0 : 1;

function roomOf(path) {
  const [, room, rest] = path.split("/");
  if (rest === undefined) return undefined;
  if (!rooms.includes(room)) throw new Error(`src/${room}/ is not in the list of rooms (scripts/rooms.mjs)`);
  return room;
}

function* imports(text) {
  for (const match of text.matchAll(/(?:^|\n)[^\n/]*?(?:\bfrom\s*|\bimport\s*\(\s*|^import\s+)"([^"]+)"/g)) {
    yield { specifier: match[1], line: text.slice(0, match.index + match[0].length).split("\n").length };
  }
}
