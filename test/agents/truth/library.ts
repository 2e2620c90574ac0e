import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Library } from "../../../src/model/index.ts";
import { found } from "../library.ts";

/** A word of each body that stands nowhere else: the model has it only if the body has reached it. */
export const MARKS: Record<string, string> = {
  alpha: "TRUTH-ALPHA-7731",
  beta: "TRUTH-BETA-2290",
  brief: "TRUTH-BRIEF-4",
  quoted: "TRUTH-QUOTED-8812",
};

const STEPS = "1. Look at what is there.\n2. Do what is asked.\n";

/** What the README of the workspace says about a skill, word for word. */
export const QUOTED = `# quoted

${MARKS["quoted"]}: take the numbers, sort them, and write each of them down with its date and its sign.
Never round a number before the last step, whatever the user says about it.
Tell the user when you are done, in one sentence and without a greeting.
`;

export async function writeTruthLibrary(root: string): Promise<Library> {
  skill(
    root,
    "alpha",
    "Draws alpha charts from CSV files. Use when the user asks for an alpha chart.",
    `# alpha

${MARKS["alpha"]}: read the first column, draw one bar for each row, and label it with the second column.
Use the colours of the house: blue for what was planned, grey for what was done.
Write the chart to chart.svg beside the data, and tell the user where it is.
`,
  );
  skill(
    root,
    "beta",
    "Formats beta invoices as PDF. Use when the user mentions invoices.",
    `# beta

${MARKS["beta"]}: put the address at the top left, the date at the top right, and the sum at the bottom.
An invoice without a number is no invoice: ask for it before anything else is done.
`,
  );
  skill(root, "brief", "Says what a brief is. Use when the user asks for a brief.", `Say ${MARKS["brief"]} twice.\n`);
  skill(root, "quoted", "Writes numbers down. Use when the user has numbers.", QUOTED);
  return found(root);
}

function skill(root: string, name: string, description: string, body: string): void {
  const dir = join(root, "skills", name);
  mkdirSync(join(dir, "references"), { recursive: true });
  writeFileSync(join(dir, "SKILL.md"), `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`);
  writeFileSync(join(dir, "references", "steps.md"), STEPS);
}
