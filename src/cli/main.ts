#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { VERSION } from "../base/index.ts";

/**
 * By itself the collector lets the heap grow to several times what is in use before it looks. A run of thousands of trials and a report of half a million
 * make mostly short-lived values: to look more often costs little time, and a good part of the memory is never taken.
 */
function boundHeap(): void {
  setFlagsFromString("--heap-growing-percent=50");
}

if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) {
  process.stdout.write(`${VERSION}\n`);
} else {
  // A reader that has seen enough (`| head`) is no fault of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  boundHeap();
  const { main } = await import("./program.ts");
  process.exitCode = await main(process.argv);
}
