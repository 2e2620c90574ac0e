import { defineConfig } from "vitest/config";

/** What `npm run test:fleet` runs: a real Redis, and worker processes that are killed. One file at a time. */
export default defineConfig({
  test: {
    include: ["test/fleet/**/*.fleet.test.ts"],
    setupFiles: ["test/setup.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
