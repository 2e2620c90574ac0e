#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";

// Loads Proctor's own modules inside the `try`, because loading fails if too many files are open.
try {
  if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) {
    const { VERSION } = await import("../base/index.ts");
    process.stdout.write(`${VERSION}\n`);
  } else {
    const { watchOutput } = await import("./printing/print.ts");
    watchOutput();
    // V8 lets the heap grow to several times what is in use before it collects. Runs and reports make mostly
    // short-lived values, so collecting more often costs little time and saves a good part of the memory.
    setFlagsFromString("--heap-growing-percent=50");
    const { main } = await import("./program.ts");
    process.exitCode = await main(process.argv);
  }
} catch (error) {
  process.stderr.write(`proctor: It cannot be loaded: ${error instanceof Error ? error.message : String(error)}.\n`);
  process.exitCode = 2;
}
