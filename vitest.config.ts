import { defineConfig } from "vitest/config";
import type { TestUserConfig } from "vitest/node";

const setupFiles = ["test/setup.ts"];

const test: TestUserConfig = {
  globalSetup: ["test/tools.ts"],
  // What a bare `vitest` runs. The others are asked for by name, as `npm run test:long`, `test:page` and `test:fleet` do.
  project: "unit",
  projects: [
    {
      test: {
        name: "unit",
        include: ["test/**/*.test.ts"],
        exclude: ["test/**/*.{long,page,fleet}.test.ts"],
        setupFiles,
        // Every file loads the same rooms: loading them once a worker instead of once a file is a third of the time.
        isolate: false,
        maxWorkers: "100%",
        // For tests that hang, not for slow machines: the slowest test takes three seconds where nothing else runs.
        testTimeout: 300_000,
        hookTimeout: 300_000,
      },
    },
    {
      // Killed processes, full disks, real SDKs: one file at a time, since each needs the machine for itself.
      test: {
        name: "long",
        include: ["test/**/*.long.test.ts"],
        setupFiles,
        fileParallelism: false,
        testTimeout: 300_000,
        hookTimeout: 60_000,
      },
    },
    {
      // The page in a real Chromium.
      test: {
        name: "page",
        include: ["test/**/*.page.test.ts"],
        setupFiles,
        fileParallelism: false,
        testTimeout: 120_000,
        hookTimeout: 120_000,
      },
    },
    {
      // A real Redis, and worker processes that are killed. They mostly wait, so they wait side by side.
      test: {
        name: "fleet",
        include: ["test/fleet/**/*.fleet.test.ts"],
        globalSetup: ["test/fleet/world/set-up.ts"],
        setupFiles,
        maxConcurrency: 4,
        maxWorkers: 2,
        testTimeout: 300_000,
        hookTimeout: 60_000,
        // Projects with different numbers of workers cannot run in one group.
        sequence: { groupOrder: 1 },
      },
    },
  ],
};

export default defineConfig({ test });
