import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Library, Skill } from "../../src/skills/index.ts";

/** Five skills with names that contain each other, and one that no model may load by itself. */
export function writeLibrary(root: string): Library {
  const skills = [
    skill(root, "alpha", "Draws alpha charts from CSV files. Use when the user asks for an alpha chart."),
    skill(root, "alpha-extended", "Draws alpha charts with error bars. Use when the user asks for an extended alpha chart."),
    skill(root, "beta", "Formats beta invoices as PDF. Use when the user mentions invoices."),
    skill(root, "gamma", "Translates gamma notes. Use when the user has notes in another language."),
    skill(root, "hidden", "Deletes everything. Only people may start this.", "disable-model-invocation: true\n"),
  ];
  return { root, name: "agents", skills, fingerprint: "agents", problems: [] };
}

export function skill(root: string, name: string, description: string, more = ""): Skill {
  const dir = join(root, "skills", name);
  const file = join(dir, "SKILL.md");
  const body = `# ${name}\n\nBODY-OF-${name}: follow the steps in references/steps.md and then tell the user that ${name} has done its work.`;
  mkdirSync(join(dir, "references"), { recursive: true });
  mkdirSync(join(dir, "evals"), { recursive: true });
  writeFileSync(file, `---\nname: ${name}\ndescription: ${description}\n${more}---\n${body}\n`);
  writeFileSync(join(dir, "references", "steps.md"), "1. Look.\n2. Do.\n");
  writeFileSync(join(dir, "evals", "triggers.json"), "[]");
  return {
    id: name,
    name,
    dir,
    file,
    card: { name, description, triggers: [], notFor: [] },
    body,
    frontmatter: { name, description },
    modelInvocable: more === "",
    source: { kind: "skill", copies: [] },
    problems: [],
  };
}
