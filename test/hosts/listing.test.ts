import { expect, test } from "vitest";
import { checkSkills } from "../../src/check/index.ts";
import {
  agentHosts,
  type HostId,
  type Listing,
  listing,
  loadAdapter,
  longestDescription,
} from "../../src/hosts/index.ts";
import type { Library, Skill } from "../../src/model/index.ts";

/** Skills in memory, as a host would find them. */
function library(
  skills: { name: string; description: string; frontmatter?: Record<string, unknown>; plugin?: string }[],
): Library {
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
    Array.from({ length: count }, (_, index) => ({
      name: `sk${String(index).padStart(3, "0")}`,
      description: "d".repeat(length),
    })),
  );
}

const of = (count: number, length: number) => Array.from({ length: count }, () => length);
const sized = (lengths: number[]) =>
  library(
    lengths.map((length, index) => ({ name: `sk-${String(index).padStart(3, "0")}`, description: "d".repeat(length) })),
  );

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

/** 50, 300, 700 and 1,200 characters in turn. */
const mixed = (count: number) => sized(Array.from({ length: count }, (_, index) => [50, 300, 700, 1200][index % 4]!));
/** 14 of 1,000 characters, then 46 of 50. */
const heavy = sized(Array.from({ length: 60 }, (_, index) => (index < 14 ? 1000 : 50)));

// What the real CLIs showed, without their own skills, of skills called sk-000, sk-001 …
test.each<[HostId, string, string, Library, number, number]>([
  ["claude-code", "2.1.325", "claude-sonnet-5-5", sized(of(60, 441)), 60, 0],
  ["claude-code", "2.1.325", "claude-sonnet-5-5", sized(of(120, 200)), 120, 0],
  ["claude-code", "2.1.325", "claude-sonnet-5-5", mixed(60), 54, 6],
  ["claude-code", "2.1.325", "claude-sonnet-4-5", mixed(60), 20, 40],
  ["claude-code", "2.1.325", "claude-opus-4-5", sized(of(120, 441)), 15, 105],
  ["claude-code", "2.1.325", "claude-sonnet-4-6", sized(of(120, 441)), 15, 105],
  ["claude-code", "2.1.325", "claude-opus-4-7", sized(of(120, 441)), 65, 55],
  ["claude-code", "2.1.325", "claude-opus-4-8", sized(of(120, 441)), 65, 55],
  ["claude-code", "2.1.325", "claude-sonnet-5", sized(of(120, 441)), 65, 55],
  ["claude-code", "2.1.325", "claude-sonnet-4-5[1m]", sized(of(120, 441)), 87, 33],
  ["claude-code", "2.1.325", "nobody-knows-it", sized(of(120, 441)), 65, 55],
  ["claude-code", "2.1.260", "claude-sonnet-5", sized(of(120, 441)), 11, 109],
  ["claude-code", "2.1.197", "claude-sonnet-5", sized(of(60, 441)), 12, 48],
  ["claude-code", "2.1.197", "claude-sonnet-5", sized(of(20, 441)), 13, 7],
  ["claude-code", "2.1.197", "claude-sonnet-5", sized(of(60, 150)), 35, 25],
  ["claude-code", "2.1.197", "claude-sonnet-5[1m]", sized(of(120, 441)), 65, 55],
  ["claude-code", "2.1.197", "claude-opus-4-6", sized(of(120, 441)), 15, 105],
  ["claude-code", "2.1.197", "claude-haiku-4-5-20251001", sized(of(60, 441)), 16, 44],
  ["claude-code", "2.1.197", "claude-haiku-4-5-20251001", sized(of(120, 200)), 34, 86],
  ["claude-code", "2.1.197", "claude-haiku-4-5-20251001", sized(of(60, 150)), 49, 11],
  ["codex", "0.166.0", "gpt-6.1-sol", sized(of(60, 322)), 60, 0],
  ["codex", "0.166.0", "gpt-6.1-sol", sized(of(60, 325)), 40, 0],
  ["codex", "0.166.0", "gpt-6.1-sol", sized(of(60, 441)), 0, 0],
  ["codex", "0.166.0", "gpt-6.1-sol", mixed(120), 30, 0],
  ["copilot", "1.0.102", "gpt-4.1", sized(of(20, 441)), 20, 0],
  ["copilot", "1.0.102", "gpt-4.1", sized(of(60, 441)), 27, 33],
  ["copilot", "1.0.102", "gpt-4.1", sized(of(120, 441)), 27, 93],
  ["copilot", "1.0.102", "gpt-4.1", sized(of(120, 200)), 50, 70],
  ["copilot", "1.0.102", "gpt-4.1", mixed(60), 34, 11],
  ["copilot", "1.0.102", "gpt-4.1", heavy, 13, 47],
])("%s %s on %s shows exactly so many whole and by name", (host, version, model, skills, whole, bare) => {
  const made = listing(skills, host, { model, version });
  expect({ whole: shown(made, "whole"), bare: shown(made, "bare") }).toEqual({ whole, bare });
});

test.each([
  [1535, "whole", 1535],
  [1536, "whole", 1536],
  [1537, "cut", 1536],
  [5000, "cut", 1536],
])("Claude Code shows a description of %i characters %s, %i of them", (length, how, characters) => {
  const made = listing(sized([length]), "claude-code");
  expect(made.entries).toMatchObject([{ skill: "sk-000", shown: how, characters }]);
  expect(made.used).toBe("- sk-000: ".length + characters);
});

test("Codex cuts all long descriptions to nearly the same length, and leaves short ones alone", () => {
  const lengths = (made: Listing) =>
    [...new Set(made.entries.map(({ characters }) => characters))].sort((a, b) => a - b);
  // As seen.
  expect(lengths(listing(sized(of(60, 441)), "codex"))).toEqual([322, 326]);
  expect(lengths(listing(sized(of(120, 441)), "codex"))).toEqual([142, 146]);
  expect(lengths(listing(mixed(60), "codex"))).toEqual([50, 300, 470, 474]);
  expect(lengths(listing(mixed(120), "codex"))).toEqual([50, 174, 178]);

  const short = listing(
    library([
      ...many(100, 600).skills.map(({ name, card }) => ({ name, description: card.description })),
      { name: "short", description: "Short." },
    ]),
    "codex",
  );
  expect(short.entries.find(({ skill }) => skill === "short")).toMatchObject({ shown: "whole", characters: 6 });
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
  expect(listing(library([{ name: "boxes", description: "Sorts boxes.", frontmatter }]), host).entries[0]!.shown).toBe(
    how,
  );
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
  const all = library(
    Array.from({ length: 60 }, (_, index) => ({ name: `s${index}`, description: "x".repeat(index * 40) })),
  );
  for (const host of ["spec", "claude-code", "claude-ai", "codex", "copilot", "gemini", "opencode", "qwen"] as const) {
    const made = listing(all, host);
    expect(made.entries.map(({ skill }) => skill).sort()).toEqual(all.skills.map(({ id }) => id).sort());
  }
});

test("a large library is told once for each host which descriptions fall off, and on which model", () => {
  const problems = checkSkills(many(120, 400)).filter(({ code }) => code === "skill/listing-budget");
  expect(problems.map(({ message }) => message.split(" installed, ")[1]!.slice(0, 5)).sort()).toEqual([
    "Claud",
    "Codex",
    "Copil",
  ]);
  const claude = problems.find(({ message }) => message.includes("Claude Code"))!.message;
  expect(claude).toContain("on claude-sonnet-4-5");
  expect(claude).toContain("on claude-opus-5-5");
  // Its own 13 skills leave 1,800 characters on models with the smaller window.
  const few = checkSkills(many(5, 400)).filter(({ code }) => code === "skill/listing-budget");
  expect(few).toMatchObject([
    {
      severity: "warning",
      message: expect.stringMatching(
        /Claude Code 2\.1\.325 shows the descriptions of 4 of 5 on claude-sonnet-4-5 .*13 skills take 6,200.*shows all on claude-opus-5-5/,
      ),
    },
  ]);
  expect(checkSkills(many(2, 400)).filter(({ code }) => code === "skill/listing-budget")).toEqual([]);
  expect(
    checkSkills(many(120, 400), { hosts: ["gemini"] }).filter(({ code }) => code === "skill/listing-budget"),
  ).toEqual([]);
});

test.each<[HostId, string]>([
  ["claude-code", "claude-sonnet-4-5"],
  ["claude-code", "claude-opus-5-5"],
  ["codex", "gpt-6.1-sol"],
  ["copilot", "gpt-4.1"],
])("what is said to fit on %s with %s does fit, and one character more does not", (host, model) => {
  for (const skills of [sized(of(20, 1500)), sized(of(60, 1000)), sized(of(120, 500)), mixed(120)]) {
    const lengths = skills.skills.map(({ card }) => card.description.length);
    const longest = longestDescription(skills, host, { model });
    if (longest === undefined) continue;
    const after = (most: number) => listing(sized(lengths.map((length) => Math.min(length, most))), host, { model });
    const over = (made: Listing) => made.entries.filter(({ overBudget }) => overBudget).length;
    expect(over(after(longest))).toBe(0);
    expect(over(after(longest + 1))).toBeGreaterThan(0);
  }
});

test("there is nothing to say where all fits, nor where no length helps", () => {
  expect(longestDescription(many(5, 100), "claude-code")).toBeUndefined();
  expect(longestDescription(many(500, 100), "gemini")).toBeUndefined();
  expect(longestDescription(many(3000, 100), "claude-code", { model: "claude-sonnet-4-5" })).toBe(0);
});

test("the host's own skills take their part first", () => {
  const bundled = { names: ["dataviz"], characters: 6_201 };
  const made = listing(sized(of(60, 441)), "claude-code", { model: "claude-sonnet-5-5", bundled });
  expect(shown(made, "whole")).toBe(52);
  expect(longestDescription(sized(of(60, 441)), "claude-code", { model: "claude-sonnet-5-5", bundled })).toBeLessThan(
    441,
  );
});

test.each(agentHosts.filter(({ listing }) => listing?.bundled !== undefined).map(({ agent }) => agent))(
  "the skills of $id itself are those of the newest version that was tested",
  async ({ id }) => {
    const { tested } = await loadAdapter(id);
    expect(agentHosts.find(({ agent }) => agent.id === id)?.listing?.bundled?.version).toBe(tested.at(-1));
  },
);
