import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findSandbox } from "../../../../src/targets/agents/process/find-sandbox.ts";
import { isHere } from "../../../tools.ts";

const sandbox = findSandbox(process.env);
const root = process.getuid?.() === 0;
/** Of the system alone: another user could not go where this one keeps programs. */
const PATH = "/usr/local/bin:/usr/bin:/bin";
const NOBODY = 65534;
const users = [
  ["this user", []],
  ...(root
    ? [
        ["an ordinary user", ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"]] as [
          string,
          string[],
        ],
      ]
    : []),
] as [string, string[]][];

/** Only since version 0.8. */
const forbidsNamespaces = spawnSync("bwrap", ["--help"], { encoding: "utf8" }).stdout?.includes("--disable-userns");

/** A folder with a trial's own in it, a library, and a CLI beside them. */
const dir = mkdtempSync(join(tmpdir(), "bubblewrap-test-"));
const [trial, library, cli, certificates] = ["trial", "library", "cli", "certificates"].map((name) =>
  join(dir, name),
) as [string, string, string, string];

beforeAll(() => {
  for (const path of [trial, library, cli, certificates]) mkdirSync(path, { recursive: true });
  writeFileSync(join(library, "evals.json"), "the answers");
  writeFileSync(join(cli, "agent"), '#!/bin/sh\neval "$1"\n', { mode: 0o755 });
  writeFileSync(join(certificates, "rootCA.pem"), "certificate\n");
  writeFileSync(join(certificates, "rootCA-key.pem"), "private key\n");
  symlinkSync("rootCA.pem", join(certificates, "link.pem"));
  chmodSync(dir, 0o755);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** As words of a shell: the temporary folder may have a space in its name. */
const quoted = (...paths: string[]) => paths.map((path) => `'${path}'`).join(" ");

describe.runIf(isHere("sandbox") && sandbox?.name === "bubblewrap").each(users)("inside bubblewrap, as %s", (_, as) => {
  test("it writes to its own folders and to /tmp, and nowhere else", () => {
    const outside = ["/etc/x", "/usr/x", "/var/tmp/x", join(homedir(), "x"), join(library, "x"), join(cli, "x")];
    const said = inside(
      as,
      `touch ${quoted(join(trial, "project/x"))} /tmp/x && echo own; for f in ${quoted(...outside)}; do touch "$f" 2>/dev/null && echo "wrote $f"; done; true`,
    );
    expect(said).toBe("own\n");
    expect([join(trial, "project/x"), join(trial, "tmp/x")].map((file) => existsSync(file))).toEqual([true, true]);
    expect(outside.filter((file) => existsSync(file))).toEqual([]);
  });

  test("it has no capability, and cannot mount or remount anything", () => {
    expect(inside(as, "grep -E '^(Cap(Inh|Prm|Eff|Amb)|NoNewPrivs)' /proc/self/status | cut -f2")).toBe(
      `${"0000000000000000\n".repeat(4)}1\n`,
    );
    expect(
      inside(as, "mount -o remount,rw / 2>&1 && echo remounted; umount /var 2>&1 && echo unmounted; true"),
    ).not.toMatch(/^(re|un)mounted/m);
  });

  test("no setting of the kernel can be opened for writing", () => {
    const settings = ["kernel/core_pattern", "vm/overcommit_memory", "kernel/panic"].map((name) => `/proc/sys/${name}`);
    expect(inside(as, `for f in ${settings.join(" ")}; do (: >>$f) 2>/dev/null && echo $f; done; true`)).toBe("");
  });

  test.runIf(root && forbidsNamespaces)(
    "where root starts it, no user namespace can be made, in which cgroups could be mounted",
    () => {
      expect(inside(as, "unshare --user true 2>/dev/null && echo made; true")).toBe("");
    },
  );

  test("it sees its CLI, and neither the home nor the library nor what else lies there", () => {
    const folders = [homedir(), library, dirname(dir), "/var", "/home", "/run"].filter((folder) => existsSync(folder));
    const listed = inside(
      as,
      `for d in ${quoted(...folders)}; do ls -A "$d" 2>/dev/null; done; cat ${quoted(join(library, "evals.json"))} 2>/dev/null; true`,
    );
    expect(listed).not.toContain("answers");
    for (const folder of [homedir(), "/var", library].filter((path) => existsSync(path)))
      expect(
        listed.split("\n").filter((name) => name !== "" && readdirSync(folder).includes(name)),
        folder,
      ).toEqual(ownPaths(folder));
    expect(inside(as, `cat ${quoted(join(cli, "agent"))}`)).toContain("eval");
  });

  test("a prompt that is a path shows nothing", () => {
    const wrapped = sandbox!.hiding([library], `Look at ${join(library, "evals.json")} please`);
    const told = inside(
      as,
      `cat ${quoted(join(library, "evals.json"))} 2>/dev/null; true`,
      [join(library, "evals.json")],
      wrapped,
    );
    expect(told).toBe("");
    const named = inside(
      as,
      `cat ${quoted(join(library, "evals.json"))}`,
      [join(library, "evals.json")],
      sandbox!.hiding([library]),
    );
    expect(named).toBe("the answers");
  });

  test.each(["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"])(
    "the certificate that %s names is there, and the key beside it is not",
    (name) => {
      const [certificate, key, link] = ["rootCA.pem", "rootCA-key.pem", "link.pem"].map((file) =>
        join(certificates, file),
      );
      const look = `cat ${quoted(certificate!)} "$${name}"; cat ${quoted(key!)} 2>/dev/null; ls ${quoted(certificates)}`;
      expect(inside(as, look, [], undefined, { [name]: certificate! })).toBe("certificate\ncertificate\nrootCA.pem\n");
      expect(inside(as, look, [], undefined, { [name]: link! })).toBe(
        "certificate\ncertificate\nlink.pem\nrootCA.pem\n",
      );
    },
  );

  test("passwords are not there", () => {
    expect(inside(as, "cat /etc/shadow /etc/gshadow 2>/dev/null; ls -A /etc/ssh 2>/dev/null; true")).toBe("");
    expect(inside(as, "find /etc -type f ! -perm -o+r 2>/dev/null; true")).toBe("");
  });

  test("no file and no number of processes grows without end", () => {
    expect(inside(as, "ulimit -f; ulimit -c")).toBe("2097152\n0\n");
    expect(Number(inside(as, "grep 'Max processes' /proc/self/limits | cut -c27-46"))).toBeLessThanOrEqual(4096);
  });

  test("it sees its own processes alone", () => {
    expect(inside(as, "ls /proc | grep -c '^[0-9]'").trim()).toMatch(/^[1-9]$/);
  });
});

/** Where this test's own folders happen to lie in a hidden one, the way to them is seen. */
function ownPaths(folder: string): string[] {
  const inner = [...PATH.split(":"), dir].filter((path) => path.startsWith(`${folder}/`));
  return [...new Set(inner.map((path) => path.slice(folder.length + 1).split("/")[0]!))].filter((name) =>
    existsSync(join(folder, name)),
  );
}

function inside(
  as: string[],
  script: string,
  args: string[] = [],
  box = sandbox!.hiding([library]),
  variables = {},
): string {
  for (const path of [join(trial, "project"), join(trial, "tmp")]) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { mode: 0o777 });
    chmodSync(path, 0o777);
  }
  const env = { PATH, ...variables };
  const command = { file: join(cli, "agent"), args: [script, ...args], env };
  const wrapped = box.wrap(command, { root: trial, tmp: join(trial, "tmp"), writable: [] });
  const [file, ...words] = [...as, wrapped.file, ...wrapped.args];
  const { stdout, stderr, status } = spawnSync(file!, words, {
    encoding: "utf8",
    cwd: join(trial, "project"),
    env,
  });
  if (status !== 0) throw new Error(`${status}: ${stderr}`);
  return stdout;
}
