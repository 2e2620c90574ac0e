import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { discover } from "../../src/exam/find/index.ts";
import type { Library } from "../../src/model/index.ts";

/** Skills with names that contain each other, one that asks for tools of its own, and one that no model may load by itself. */
export function writeLibrary(root: string): Promise<Library> {
  writeSkill(root, "alpha", "Draws alpha charts from CSV files. Use when the user asks for an alpha chart.");
  writeSkill(
    root,
    "alpha-extended",
    "Draws alpha charts with error bars. Use when the user asks for an extended alpha chart.",
  );
  writeSkill(root, "beta", "Formats beta invoices as PDF. Use when the user mentions invoices.");
  writeSkill(
    root,
    "gamma",
    "Translates gamma notes. Use when the user has notes in another language.",
    "allowed-tools: Bash, Write\n",
  );
  writeSkill(root, "hidden", "Deletes everything. Only people may start this.", "disable-model-invocation: true\n");
  return found(root);
}

export async function found(root: string): Promise<Library> {
  return (await discover({ cwd: root, root })).libraries[0]!;
}

export function writeSkill(root: string, name: string, description: string, more = ""): void {
  const dir = join(root, "skills", name);
  const body = `# ${name}\n\nBODY-OF-${name}: follow the steps in references/steps.md and then tell the user that ${name} has done its work.`;
  mkdirSync(join(dir, "references"), { recursive: true });
  mkdirSync(join(dir, "evals"), { recursive: true });
  writeFileSync(join(dir, "SKILL.md"), `---\nname: ${name}\ndescription: ${description}\n${more}---\n${body}\n`);
  writeFileSync(join(dir, "references", "steps.md"), "1. Look.\n2. Do.\n");
  writeFileSync(join(dir, "evals", "triggers.json"), "[]");
}

/** Of some 400 characters each, so that hosts with a budget cannot show them all. */
export function manySkills(root: string): Promise<Library> {
  const words =
    "Reads the ledger of the branch office, compares it with the bank statement, marks what differs and writes a short note about every difference it finds. Use when the user asks for a reconciliation, a comparison of two ledgers, or a note about missing bookings of one month; also for questions about the year-end closing, open items, reminders, payment runs, and the list of all suppliers.";
  for (let index = 0; index < 120; index++)
    writeSkill(root, `sk${String(index).padStart(3, "0")}`, `Number ${index}. ${words}`);
  return found(root);
}
