import { defineConfig } from "vitest/config";

/** What `npm run test:fleet` runs: a real Redis, and worker processes that are killed. Most of their time is waiting, so they wait side by side. */
export default defineConfig({
  test: {
    include: ["test/fleet/**/*.fleet.test.ts"],
    globalSetup: ["test/fleet/world/set-up.ts"],
    setupFiles: ["test/setup.ts"],
    maxConcurrency: 4,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
