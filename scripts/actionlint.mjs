// actionlint over our own workflows, those that docs/ci.md gives people to copy, and how both use action.yml: node scripts/actionlint.mjs [--require]
// It needs actionlint on the PATH, or Go to get it with (into a temporary folder); without either it says so, and fails with --require alone.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const VERSION = "v1.7.12";
const root = resolve(import.meta.dirname, "..");
const place = mkdtempSync(join(tmpdir(), "proctor-actionlint-"));
try {
  process.exitCode = lint();
} finally {
  rmSync(place, { recursive: true, force: true });
}

function lint() {
  const bin = found();
  if (bin === undefined) {
    console.log("actionlint is not here, and could not be had with Go: workflows are not linted.");
    return process.argv.includes("--require") ? 1 : 0;
  }
  const count = prepare();
  const { status, stdout, stderr } = spawnSync(bin, ["-no-color"], {
    cwd: join(place, "repository"),
    encoding: "utf8",
  });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  if (status === 0) console.log(`actionlint: ${count} workflows, nothing wrong`);
  return status ?? 2;
}

/** A repository with every workflow there is. What uses the action by its name uses it from here: then its inputs are checked against action.yml. */
function prepare() {
  const repository = join(place, "repository");
  const workflows = join(repository, ".github", "workflows");
  mkdirSync(join(repository, ".git"), { recursive: true });
  cpSync(join(root, ".github"), join(repository, ".github"), { recursive: true });
  cpSync(join(root, "action.yml"), join(repository, "action.yml"));
  const blocks = [...readFileSync(join(root, "docs", "ci.md"), "utf8").matchAll(/```yaml\n([\s\S]*?)```/g)].map(
    ([, text]) => text,
  );
  const copied = blocks.filter((text) => /^jobs:$/m.test(text));
  if (copied.length < 3) throw new Error(`docs/ci.md has ${copied.length} workflows, and should have three`);
  for (const [index, text] of copied.entries())
    writeFileSync(join(workflows, `docs-${index + 1}.yml`), text.replace(/uses: [\w.-]+\/proctor@\S+/g, "uses: ./"));
  return readdirSync(workflows).length;
}

function found() {
  if (spawnSync("actionlint", ["-version"]).status === 0) return "actionlint";
  const env = { ...process.env, GOBIN: place, GOPATH: join(place, "go"), GOFLAGS: "-modcacherw" };
  const { status } = spawnSync("go", ["install", `github.com/rhysd/actionlint/cmd/actionlint@${VERSION}`], {
    env,
    stdio: "ignore",
  });
  return status === 0 ? join(place, "actionlint") : undefined;
}
