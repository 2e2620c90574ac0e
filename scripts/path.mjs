// Counts the types and files that a question passes through, from its row in a suite to its verdict.
//   node scripts/path.mjs [ROOT] [--json]
// ROOT is another checkout, with its dependencies installed.
//
// Files: every file of src/ outside base/ and options/ with a function that runs while `run` puts a small library to a
// `script:` target, from the moment the first suite file is opened until `run` returns its results. All modules are
// loaded beforehand, because top-level code does not count.
// Types: those in the column "becomes" of the table "The path of a question" in docs/architecture.md.
import fs, { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { register, syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { importGraph } from "./house/imports.mjs";
import { readSources, visit } from "./house/sources.mjs";

const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: "boolean" } } });
const root = realpathSync(positionals[0] ?? ".");
const sources = readSources(root, "src");

const types = typesOnThePath(readFileSync(join(root, "docs/architecture.md"), "utf8"));
const declared = declaredTypes(sources);
const missing = types.filter((name) => !declared.has(name));
const files = await filesOnThePath();

if (flags.json) console.log(JSON.stringify({ types, missing, files }, undefined, 2));
else {
  console.log(`${types.length} types on the path: ${types.join(", ")}`);
  console.log(`${files.length} files on the path:\n${files.map((file) => `- ${file}`).join("\n")}`);
}
for (const name of missing) console.error(`docs/architecture.md  names the type ${name}, which src/ does not declare`);
process.exitCode = missing.length === 0 ? 0 : 1;

function typesOnThePath(page) {
  const [, section] = page.split(/^#+ The path of a question.*$/m);
  const table = section?.match(/(?:^\|.*\n)+/m)?.[0];
  if (table === undefined) throw new Error('docs/architecture.md has no table below "The path of a question"');
  const [head, , ...rows] = table
    .trimEnd()
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()));
  const column = head.indexOf("becomes");
  if (column < 0) throw new Error('the table "The path of a question" in docs/architecture.md has no column "becomes"');
  return [...new Set(rows.flatMap((cells) => [...cells[column].matchAll(/`([A-Z]\w*)`/g)].map(([, name]) => name)))];
}

function declaredTypes(sources) {
  const names = new Set();
  for (const { program } of sources) {
    visit(program, ({ type, id }) => {
      if (["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "ClassDeclaration"].includes(type)) names.add(id.name);
    });
  }
  return names;
}

async function filesOnThePath() {
  register("./house/strip-types.mjs", import.meta.url);
  const profiler = startProfiler();
  const { run } = await import(pathToFileURL(join(root, "src/index.ts")).href);
  await loadAllBehind("src/index.ts");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "proctor-path-")));
  const suites = writeLibrary(folder);
  try {
    let underWay;
    const restore = onFirstOpen(suites, () => {
      underWay = filesOnTheStack();
      profiler.forget();
    });
    const env = { HOME: folder, PATH: process.env["PATH"] };
    const [result] = await run({ cwd: folder, env, targets: ["script:answers.yaml"] });
    const called = profiler.filesCalled();
    restore();
    if (underWay === undefined) throw new Error("the suites were never opened");
    // The script misses two of the six questions.
    if (result?.exitCode !== 1) throw new Error(`expected exit code 1 from the run, got ${result?.exitCode}`);
    return [...new Set([...underWay, ...called])].filter((file) => !/^src\/(?:base|options)\//.test(file)).sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function loadAllBehind(entry) {
  const graph = importGraph(sources, ["value", "dynamic"]);
  const reached = new Set([entry]);
  for (const file of reached) {
    await import(pathToFileURL(join(root, file)).href);
    for (const to of graph.get(file)) reached.add(to);
  }
}

function writeLibrary(folder) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };
  const skill = (name, description) =>
    write(`skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n`);
  skill("parcels", "Finds out where a parcel is. Use when somebody asks for their delivery.");
  skill("refunds", "Pays money back. Use when somebody wants a refund.");
  write(
    "answers.yaml",
    `answers:
  - { pattern: (?i)parcel, skills: [parcels] }
  - { pattern: (?i)money, skills: [refunds] }
default: { skills: [] }
`,
  );
  const suite = (name, other, [hit, miss, near]) =>
    write(
      `evals/${name}/triggers.yaml`,
      `skill_name: ${name}
triggers:
  - { query: ${hit}, should_trigger: true }
  - { query: ${miss}, should_trigger: true }
  - { query: ${near}, should_trigger: false, expect: ${other} }
`,
    );
  return [
    suite("parcels", "refunds", ["Where is my parcel", "Has it left the depot", "I want my money back"]),
    suite("refunds", "parcels", ["Give me my money back", "Please undo the purchase", "My parcel is late"]),
  ];
}

/** Calls `then` just before one of the files is first opened. Returns a function that undoes the patches. */
function onFirstOpen(paths, then) {
  let opened = false;
  const originals = [];
  const watch = (owner, name) => {
    const original = owner[name];
    originals.push(() => {
      owner[name] = original;
    });
    owner[name] = function (path, ...rest) {
      if (!opened && typeof path === "string" && paths.includes(resolve(path))) {
        opened = true;
        then();
      }
      return original.call(this, path, ...rest);
    };
  };
  for (const name of ["openSync", "readFileSync", "open", "readFile", "createReadStream"]) watch(fs, name);
  for (const name of ["open", "readFile"]) watch(fs.promises, name);
  syncBuiltinESMExports();
  return () => {
    for (const restore of originals) restore();
    syncBuiltinESMExports();
  };
}

/** Files of the functions already running, which are not called again: the stack, and what awaits it. */
function filesOnTheStack() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  return [...stack.matchAll(/file:\/\/[^\s)]+?(?=:\d+:\d+)/g)].flatMap(([url]) => sourceOf(url) ?? []);
}

function startProfiler() {
  const session = new Session();
  session.connect();
  const post = (method, options) => {
    let answer;
    session.post(method, options, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  };
  post("Profiler.enable");
  post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return {
    // Taking the counts resets them.
    forget: () => post("Profiler.takePreciseCoverage"),
    filesCalled: () => {
      const { result } = post("Profiler.takePreciseCoverage");
      return result.flatMap(({ url, functions }) => (functions.some(isCalled) ? (sourceOf(url) ?? []) : []));
    },
  };
}

/** V8 reports top-level code as a function without a name that starts where the file does. */
function isCalled({ functionName, ranges: [{ startOffset, count }] }) {
  return count > 0 && !(functionName === "" && startOffset === 0);
}

function sourceOf(url) {
  if (!url.startsWith("file:")) return undefined;
  const file = sources.find(({ file }) => join(root, file) === fileURLToPath(url));
  return file?.file;
}
