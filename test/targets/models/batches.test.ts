import { expect, test } from "vitest";
import { askExam } from "../../../src/exam/index.ts";
import { Batches } from "../../../src/targets/models/batches.ts";
import { parseRoutes } from "../../../src/targets/models/router.ts";
import { libraryOf, shop } from "../../cards/shop.ts";
import { World } from "../../world.ts";

const never = new AbortController().signal;

test("what is asked at once goes in one call, up to its size, and each gets its own answer", async () => {
  const calls: number[][] = [];
  const batches = new Batches<number, number>(3, async (items) => {
    calls.push([...items]);
    return items.map((item) => item * 10);
  });
  expect(await Promise.all([1, 2, 3, 4].map((item) => batches.add(item, "run 1", never)))).toEqual([10, 20, 30, 40]);
  expect(calls).toEqual([[1, 2, 3], [4]]);
  expect(await batches.add(5, "run 1", never)).toBe(50);
});

test("runs of the same query never share a call", async () => {
  const calls: string[][] = [];
  const batches = new Batches<string, string>(9, async (items) => {
    calls.push([...items]);
    return [...items];
  });
  await Promise.all([batches.add("a", "run 1", never), batches.add("a", "run 2", never)]);
  expect(calls).toEqual([["a"], ["a"]]);
});

test("a call ends when everybody has given up, and not before", async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const batches = new Batches<number, string>(9, async (items, signal) => {
    first.abort();
    const early = signal.aborted;
    second.abort();
    return items.map(() => `${early} ${signal.aborted}`);
  });
  expect(await Promise.all([batches.add(1, "", first.signal), batches.add(2, "", second.signal)])).toEqual([
    "false true",
    "false true",
  ]);
});

test("a failure of the call is everybody's", async () => {
  const batches = new Batches<number, number>(9, async () => {
    throw new Error("no");
  });
  expect(await Promise.allSettled([batches.add(1, "", never), batches.add(2, "", never)])).toMatchObject([
    { status: "rejected" },
    { status: "rejected" },
  ]);
});

test("a reply to several queries is read line by line; what cannot be read is null, never none", () => {
  const reply =
    "1: SKILLS=order-status\n2. SKILLS=none\n- 3) SKILLS=gift-cards, refund-policy\n4: SKILLS=no-such-skill\n6: SKILLS=none\n6: SKILLS=gift-cards";
  expect(parseRoutes(reply, libraryOf(shop), 6)).toEqual([
    ["order-status"],
    [],
    ["gift-cards", "refund-policy"],
    null,
    null,
    null,
  ]);
});

test("a call that carries many trials is one job: with one job at a time they are still asked together", async () => {
  const world = new World();
  try {
    world.skill(
      "alpha",
      Array.from({ length: 12 }, (_, at) => ({ query: `load alpha ${at}`, should_trigger: true })),
    );
    world.script({ default: { skills: ["alpha"] } });
    const exam = await world.prepare({ jobs: 1, runs: 1 });
    const calls: number[] = [];
    const batches = new Batches<number, number>(10, async (items) => {
      calls.push(items.length);
      return [...items];
    });
    const targets = exam.targets.map(({ target, identity }) => ({
      identity,
      target: {
        ...target,
        batch: 10,
        concurrency: 10,
        open: async (...given: Parameters<typeof target.open>) => {
          const sitting = await target.open(...given);
          return {
            ...sitting,
            ask: (...asked: Parameters<typeof sitting.ask>) =>
              batches.add(1, "", never).then(() => sitting.ask(...asked)),
          };
        },
      },
    }));
    await askExam({ ...exam, targets }, {});
    expect(calls[0]).toBe(10);
    expect(calls.reduce((sum, size) => sum + size, 0)).toBe(12);
  } finally {
    world.remove();
  }
});

test("beside 8 jobs, all runs of many questions are under way at once where their trials share calls", async () => {
  const world = new World();
  try {
    world.skill(
      "alpha",
      Array.from({ length: 12 }, (_, at) => ({ query: `load alpha ${at}`, should_trigger: true })),
    );
    world.script({ default: { skills: ["alpha"] } });
    const exam = await world.prepare({ jobs: 8, runs: 3, cache: false });
    let underWay = 0;
    let open = () => {};
    const all = new Promise<void>((resolve) => {
      open = resolve;
    });
    const targets = exam.targets.map(({ target, identity }) => ({
      identity,
      target: {
        ...target,
        batch: 10,
        concurrency: 40,
        open: async (...given: Parameters<typeof target.open>) => {
          const sitting = await target.open(...given);
          return {
            ...sitting,
            // Nobody gets an answer before every question has the two runs that it certainly needs.
            ask: async (...asked: Parameters<typeof sitting.ask>) => {
              if (++underWay === 24) open();
              await all;
              return sitting.ask(...asked);
            },
          };
        },
      },
    }));
    await askExam({ ...exam, targets }, {});
    expect(underWay).toBe(24);
  } finally {
    world.remove();
  }
});
