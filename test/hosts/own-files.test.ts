import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownFileTable } from "./own-file-table.ts";

test("docs/security.md has every list, with its source", () => {
  expect(readFileSync(join(import.meta.dirname, "../../docs/security.md"), "utf8")).toContain(ownFileTable());
});
