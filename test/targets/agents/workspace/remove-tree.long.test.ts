import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const dir = mkdtempSync(join(tmpdir(), "remove-test-"));
const workspace = join(import.meta.dirname, "../../../../src/targets/agents/workspace/workspace.ts");
/** Root may remove anything: where this is root, another user tries. */
const as = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
const packages = join(import.meta.dirname, "../../../..");
/** A checkout in root's own folder is closed to that other user. */
const isOpen =
  as.length === 0 || spawnSync(as[0]!, [...as.slice(1), "test", "-r", join(packages, "package.json")]).status === 0;

/** A Proctor whose trial leaves folders that nobody may change, and one of them that nobody may even read. */
const proctor = `
import { chmodSync, mkdirSync, writeFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createWorkspace, removed } from ${JSON.stringify(workspace)};
const workspace = await createWorkspace({ skills: [], skillsDir: ".", files: [], keep: false, place: ${JSON.stringify(dir)} });
const cache = join(workspace.home, "go/pkg/mod/example@v1");
mkdirSync(join(cache, "sub"), { recursive: true });
writeFileSync(join(cache, "sub/file.go"), "package sub");
symlinkSync(${JSON.stringify(join(dir, "outside"))}, join(cache, "link"));
for (const [folder, mode] of [["sub", 0o000], [".", 0o555]]) chmodSync(join(cache, folder), mode);
console.log(workspace.root);
if (process.argv[2] === "disposed") { await workspace.dispose(); await removed(); }
`;

beforeAll(() => {
  writeFileSync(join(dir, "proctor.ts"), proctor);
  writeFileSync(join(dir, "outside"), "", { mode: 0o444 });
  chmodSync(dir, 0o777);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.runIf(process.platform !== "win32" && isOpen).each(["disposed", "left"])(
  "folders that may not be changed are removed when a workspace is %s, without a word",
  (how) => {
    const [file, ...args] = [...as, process.execPath, "--import", "jiti/register", join(dir, "proctor.ts"), how];
    const { stdout, stderr, status } = spawnSync(file!, args, {
      cwd: packages,
      encoding: "utf8",
      env: { PATH: process.env["PATH"]!, HOME: dir, JITI_FS_CACHE: "false" },
    });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    const root = stdout.trim();
    expect(root).toContain(dir);
    expect([root, `${root}-gone`].filter((path) => existsSync(path))).toEqual([]);
    expect(existsSync(join(dir, "outside"))).toBe(true);
  },
);
