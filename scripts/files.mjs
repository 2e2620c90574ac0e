// What is examined may be somebody else's: it is read and written through src/base/files/ alone, which opens regular files only, follows no
// link out and never waits. So no other file of src/ uses the file system itself, but those below, each for the reason given.
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";

const allowed = {
  "src/base/files/": "the one place that reads and writes what is examined",
  "src/base/processes.ts": "what the kernel says of a process",
  "src/exam/record/": "records, locks and the cache: Proctor's own files below .proctor",
  "src/base/git/": "a repository of its own in a temporary folder, and a revision's files in a folder of its own",
  "src/targets/agents/": "workspaces, CLIs and their session files, the definition of an agent that the person wrote",
  "src/targets/first-move/capture.ts": "captured requests, Proctor's own files",
  "src/cards/minilm/": "the model's files in an installed package, and a cache of its own",
  "src/formats/waza/index.ts": "a glob that follows no links; what it finds is read through base",
  "src/exam/plan/revision/library-at.ts": "a folder of its own for the files of a revision",
  "src/exam/plan/gather/past-trials.ts": "the size of Proctor's own records",
  "src/history/list-runs.ts": "the folders of Proctor's own records",
  "src/history/changes-since-last-run.ts": "the size of Proctor's own records",
  "src/history/history.ts": "the size of Proctor's own records",
  "src/reporters/html/template.ts": "the page's template that ships with Proctor",
  "src/verbs/view/shelf.ts": "the size of Proctor's own records",
  "src/fleet/bundle/kept-bundles.ts": "the folder of bundles that a worker keeps, Proctor's own",
  "src/verbs/asking/watch-folders.ts": "is told that something changed, and reads it through base",
  "src/cli/printing/print-report.ts": "whether the library is here",
  "src/cli/printing/rule-page.ts": "the pages of docs/rules/ that ship with Proctor",
  "src/cli/printing/print.ts": "what kind of thing standard output is",
};

/** `.proctor` may hold links of whoever committed it: only ownFolder makes paths there. These name it for another reason. */
const naming = {
  "src/base/files/own-folder.ts": "the one way there",
  "src/base/files/machine-folders.ts": "a name that is passed over",
  "src/cards/minilm/load-model.ts": "packages in the person's home, not in a project",
};

const below = /["'`/\\]\.proctor(?=["'`/\\])/;
const uses = /(?:\bfrom\s*|\bimport\s*\(\s*|\brequire\s*\(\s*)["'](?:node:)?(fs|fs\/promises|tinyglobby)["']/;
const broken = [];
const used = new Set();

for (const file of globSync("src/**/*.ts").sort()) {
  // Text that another program runs is no import of ours.
  const line = readFileSync(file, "utf8")
    .split("\n")
    .findIndex((text) => uses.test(text) && !text.includes("`"));
  if (line < 0) continue;
  const place = Object.keys(allowed).find((path) => file === path || (path.endsWith("/") && file.startsWith(path)));
  if (place === undefined)
    broken.push(
      `${file}:${line + 1}  uses the file system itself; read and write what is examined with base/ (readText, readBytes, kindAt, writeFileIn …)`,
    );
  else used.add(place);
}
for (const file of globSync("src/**/*.ts").sort()) {
  const line = readFileSync(file, "utf8")
    .split("\n")
    .findIndex((text) => !/^\s*(\/?\*|\/\/)/.test(text) && below.test(text.replace(/\s\/\/.*/, "")));
  if (line < 0) continue;
  if (file in naming) used.add(file);
  else broken.push(`${file}:${line + 1}  makes a path below .proctor itself; use ownFolder`);
}
for (const path of Object.keys({ ...allowed, ...naming }))
  if (!used.has(path)) broken.push(`scripts/files.mjs  ${path} is allowed, and does not need it`);

for (const line of broken) console.error(line);
console.log(
  broken.length === 0
    ? "files: what is examined is opened in one place, and so is .proctor"
    : `files: ${broken.length} places break the rule`,
);
process.exitCode = broken.length === 0 ? 0 : 1;
