import { defineConfig } from "vitest/config";

/** What `npm run test:long` runs: one file at a time, since they need the machine for themselves. */
export default defineConfig({
  test: {
    include: ["test/**/*.long.test.ts"],
    setupFiles: ["test/setup.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
