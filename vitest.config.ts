import { defineConfig } from "vitest/config";

/** What `npm test` runs. Tests that kill processes again and again, or need the machine for themselves, are in `npm run test:long`. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.long.test.ts", "test/**/*.fleet.test.ts", "test/**/*.page.test.ts"],
    setupFiles: ["test/setup.ts"],
    // Every file loads the same rooms: loading them once a worker instead of once a file is a third of the time.
    isolate: false,
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
