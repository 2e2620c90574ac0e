import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export interface Link {
  link: string;
}

/** A folder with these files, gone when the test is over. */
export function tree(files: Record<string, string | Uint8Array | Link>): string {
  const root = mkdtempSync(join(tmpdir(), "proctor-skills-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === "object" && "link" in content) symlinkSync(content.link, file);
    else writeFileSync(file, content);
  }
  return root;
}

/** A SKILL.md with nothing to complain about. */
export function skillText(
  name: string,
  description = `Sorts the ${name} of a shop by size. Use when somebody asks to tidy ${name} up.`,
): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo it well.\n`;
}
