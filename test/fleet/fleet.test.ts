import { describe, expect } from "vitest";
import { isHere } from "../tools.ts";
import { essence } from "../world.ts";
import { comparable } from "./world/fleet-world.ts";
import { test } from "./world/small-exam.ts";

describe.runIf(isHere("redis"))("a run on workers", () => {
  test("gives the same record and the same scores as a run here, and the record says who made what", async ({
    world,
  }) => {
    world.write("skills/alpha/evals/letter.schema.json", { type: "object", required: ["name"] });
    world.write("skills/alpha/evals/evals.json", {
      evals: [
        { id: "says", prompt: "Question 1 as a case", graders: [{ type: "contains", config: { value: "Alpha" } }] },
        { id: "json", prompt: "Nothing", graders: [{ type: "json_schema", config: { value: "letter.schema.json" } }] },
      ],
    });
    const here = await world.here();
    world.worker({ name: "one" });
    world.worker({ name: "two" });
    const there = await world.onWorkers();

    expect(comparable(there)).toEqual(comparable(here));
    expect(essence(there)).toEqual(essence(here));
    const { startedAt: _a, run: _b, git: _c, ...header } = here.header;
    expect(there.header).toMatchObject(header);
    const made = there.trials.flatMap(({ attempts }) => attempts.map((attempt) => attempt.worker));
    expect(made.length).toBeGreaterThan(0);
    expect(made.filter((name) => name !== "one" && name !== "two")).toEqual([]);
    expect(here.trials.flatMap(({ attempts }) => attempts.map((attempt) => "worker" in attempt))).not.toContain(true);
  });
});
