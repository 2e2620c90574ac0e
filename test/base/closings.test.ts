import { expect, test } from "vitest";
import { withClosings } from "../../src/base/index.ts";

test("what was opened is closed in reverse order, after success as after an error, and each although another cannot be", async () => {
  for (const fails of [false, true]) {
    const closed: string[] = [];
    const work = withClosings(async (closings) => {
      for (const name of ["one", "two", "three"])
        closings.add(name, async (opened) => {
          closed.push(opened);
          if (opened === "two") throw new Error("cannot be closed");
        });
      if (fails) throw new Error("went wrong");
      return "done";
    });
    await (fails ? expect(work).rejects.toThrow("went wrong") : expect(work).resolves.toBe("done"));
    expect(closed).toEqual(["three", "two", "one"]);
  }
});
