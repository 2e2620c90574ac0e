import { defineConfig } from "vitest/config";

/** What `npm run test:page` runs: the page in a real Chromium. */
export default defineConfig({
  test: {
    include: ["test/**/*.page.test.ts"],
    setupFiles: ["test/setup.ts"],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
