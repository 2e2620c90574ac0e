import { expect, test } from "vitest";
import { checkSkills, type HostId, type Library, type Listing, listing, type Skill } from "../../src/skills/index.ts";

/** Skills in memory, as a host would find them. */
function library(skills: { name: string; description: string; frontmatter?: Record<string, unknown>; plugin?: string }[]): Library {
  const made = skills.map(({ name, description, frontmatter = {}, plugin }): Skill => {
    const dir = `/library/${name}`;
    return {
      id: name,
      name,
      dir,
      file: `${dir}/SKILL.md`,
      card: { name, description, triggers: [], notFor: [] },
      body: "Do it.",
      frontmatter: { name, description, ...frontmatter },
      modelInvocable: frontmatter["disable-model-invocation"] !== true,
      source: { kind: "skill", copies: [], ...(plugin === undefined ? {} : { plugin }) },
      problems: [],
      reading: { text: "", bom: false, header: "", fields: new Map(), repairs: [], bodyStart: 0 },
    };
  });
  return { root: "/library", name: "library", skills: made, fingerprint: "", problems: [] };
}

function many(count: number, length: number): Library {
  return library(
    Array.from({ length: count }, (_, index) => ({ name: `sk${String(index).padStart(3, "0")}`, description: "d".repeat(length) })),
  );
}

function shown({ entries }: Listing, how: string): number {
  return entries.filter((entry) => entry.shown === how).length;
}

// What the real CLIs showed of 150 skills with descriptions of 627 characters.
test.each<[HostId, string | undefined, number, number]>([
  ["claude-code", "claude-opus-5-5", 44, 106],
  ["claude-code", "claude-haiku-4-5", 9, 141],
  ["copilot", undefined, 20, 130],
  ["gemini", undefined, 150, 0],
  ["opencode", undefined, 150, 0],
  ["qwen", undefined, 150, 0],
])("of 150 long descriptions %s on %s shows %i", (host, model, whole, bare) => {
  const made = listing(many(150, 627), host, model === undefined ? {} : { model });
  expect(Math.abs(shown(made, "whole") - whole)).toBeLessThanOrEqual(2);
  expect(Math.abs(shown(made, "bare") - bare)).toBeLessThanOrEqual(2);
  expect(made.computed).toBe(true);
  if (made.budget.characters !== null) expect(made.used).toBeLessThanOrEqual(made.budget.characters);
});

test("Codex cuts all long descriptions to the same length, and leaves short ones alone", () => {
  const cut = listing(many(120, 600), "codex");
  expect(shown(cut, "cut")).toBe(120);
  expect(new Set(cut.entries.map(({ characters }) => characters)).size).toBe(1);
  // About 140 were seen for 120 skills.
  expect(cut.entries[0]!.characters).toBeGreaterThan(120);
  expect(cut.entries[0]!.characters).toBeLessThan(160);

  const mixed = listing(
    library([
      ...many(100, 600).skills.map(({ name, card }) => ({ name, description: card.description })),
      { name: "short", description: "Short." },
    ]),
    "codex",
  );
  expect(mixed.entries.find(({ skill }) => skill === "short")).toMatchObject({ shown: "whole", characters: 6 });
});

test("a library too large even for its names loses skills in Codex", () => {
  const made = listing(many(2000, 50), "codex");
  expect(shown(made, "absent")).toBeGreaterThan(0);
  expect(made.used).toBeLessThanOrEqual(made.budget.characters!);
});

test.each<[HostId, Record<string, unknown>, string]>([
  ["claude-code", { "disable-model-invocation": true }, "absent"],
  ["copilot", { "disable-model-invocation": true }, "absent"],
  ["codex", { "disable-model-invocation": true }, "whole"],
  ["gemini", { "disable-model-invocation": true }, "whole"],
  ["opencode", { "disable-model-invocation": true }, "whole"],
  ["claude-code", { paths: ["**/*.ts"] }, "absent"],
  ["codex", { paths: ["**/*.ts"] }, "whole"],
  ["claude-code", { "user-invocable": false }, "whole"],
  ["claude-ai", { "user-invocable": false }, "absent"],
  ["claude-ai", { license: "MIT" }, "whole"],
])("on %s a skill with %j is %s", (host, frontmatter, how) => {
  expect(listing(library([{ name: "boxes", description: "Sorts boxes.", frontmatter }]), host).entries[0]!.shown).toBe(how);
});

test.each<[HostId, string]>([
  ["claude-code", "cut"],
  ["codex", "cut"],
  ["copilot", "absent"],
  ["gemini", "whole"],
  ["opencode", "whole"],
])("a description of 1,600 characters is %s on %s", (host, how) => {
  expect(listing(library([{ name: "boxes", description: "d".repeat(1600) }]), host).entries[0]!.shown).toBe(how);
});

test("every skill is in the listing exactly once, whatever the host", () => {
  const all = library(Array.from({ length: 60 }, (_, index) => ({ name: `s${index}`, description: "x".repeat(index * 40) })));
  for (const host of ["spec", "claude-code", "claude-ai", "codex", "copilot", "gemini", "opencode", "qwen"] as const) {
    const made = listing(all, host);
    expect(made.entries.map(({ skill }) => skill).sort()).toEqual(all.skills.map(({ id }) => id).sort());
  }
});

test("a large library is told once for each host which descriptions fall off, and on which model", () => {
  const problems = checkSkills(many(120, 400)).filter(({ code }) => code === "skill/listing-budget");
  expect(problems.map(({ message }) => message.split(" installed, ")[1]!.slice(0, 5)).sort()).toEqual(["Claud", "Codex", "Copil"]);
  const claude = problems.find(({ message }) => message.includes("Claude Code"))!.message;
  expect(claude).toContain("on sonnet-4-5");
  expect(claude).toContain("on opus-5-5");
  expect(checkSkills(many(5, 400)).filter(({ code }) => code === "skill/listing-budget")).toEqual([]);
  expect(checkSkills(many(120, 400), { hosts: ["gemini"] }).filter(({ code }) => code === "skill/listing-budget")).toEqual([]);
});
