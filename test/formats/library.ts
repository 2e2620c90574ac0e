import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { discover } from "../../src/exam/find/index.ts";
import { readSuites } from "../../src/exam/read/index.ts";
import type { Suite, Trigger } from "../../src/model/index.ts";

const shop = ["order-status", "refund-policy", "gift-wrap", "size-guide"];

/** A folder with skills and other files, gone when the test is. */
export function folderOf(files: Record<string, string>, skills: string[] = shop): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "proctor-suites-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const all: Record<string, string> = { ...files };
  for (const skill of skills) {
    all[skill.includes("/") ? `${skill}/SKILL.md` : `skills/${skill}/SKILL.md`] ??=
      `---\nname: ${skill.split("/").at(-1)}\ndescription: All about ${skill.split("/").at(-1)!.replaceAll("-", " ")} in our shop.\n---\nBody.\n`;
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

export async function readFolder(root: string, paths?: string[]) {
  const { libraries, files } = await discover({ cwd: root, root });
  const library = libraries[0]!;
  return { library, ...(await readSuites({ library, files, ...(paths === undefined ? {} : { paths }) })) };
}

/** Reads one suite file in a small shop, and says what it means: `query: +required -forbidden ~also fine, only`. */
export async function meaning(path: string, text: string | object, skills?: string[]): Promise<string[]> {
  const { suites } = await readFolder(
    folderOf({ [path]: typeof text === "string" ? text : JSON.stringify(text, null, 1) }, skills),
  );
  return suites.flatMap((suite) => suite.triggers).map(sentence);
}

export function sentence({ query, expect }: Trigger): string {
  const parts = [
    ...expect.required_skills.map((name) => `+${name}`),
    ...expect.forbidden_skills.map((name) => `-${name}`),
    ...expect.also_fine.map((name) => `~${name}`),
  ];
  if (!expect.allow_extra) parts.push(expect.required_skills.length === 0 ? "nobody" : "only");
  return `${query}: ${parts.join(" ")}`;
}

export async function onlySuite(path: string, text: string | object, skills?: string[]): Promise<Suite> {
  const { suites } = await readFolder(
    folderOf({ [path]: typeof text === "string" ? text : JSON.stringify(text, null, 1) }, skills),
  );
  if (suites.length !== 1) throw new Error(`${suites.length} suites`);
  return suites[0]!;
}
