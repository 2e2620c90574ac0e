import { type Sat, World } from "../world.ts";

/** A world with one run on a script, with texts, errors, retries and costs in it. */
export async function variedRun(): Promise<{ world: World; sat: Sat }> {
  const world = new World();
  const names = ["alpha", "beta"];
  for (const name of names)
    world.skill(
      name,
      Array.from({ length: 4 }, (_, index) => ({ query: `${name} ${index}`, should_trigger: index % 2 === 0 })),
    );
  const answers = names.map((name) => ({ pattern: `^${name}`, skills: [name], hit_rate: 0.7, text: "Größe: done." }));
  world.script({ answers: [{ query: "beta 1", fault: "half_line" }, ...answers], seed: 7, cost_per_trial: 0.01 });
  return { world, sat: await world.sit({ cache: false, retries: 1 }) };
}
