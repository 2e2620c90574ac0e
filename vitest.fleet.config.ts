import { defineConfig } from "vitest/config";

/** What `npm run test:fleet` runs: a real Redis, and worker processes that are killed. One file at a time; most of their time is waiting. */
export default defineConfig({
  test: {
    include: ["test/fleet/**/*.fleet.test.ts"],
    globalSetup: ["test/fleet/set-up.ts"],
    setupFiles: ["test/setup.ts"],
    maxConcurrency: 4,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
