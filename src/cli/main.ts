#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { VERSION } from "../base/index.ts";
import { noticeReaderGone } from "./printing/reader-gone.ts";

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
  noticeReaderGone();
  boundHeap();
  const { main } = await import("./program.ts");
  process.exitCode = await main(process.argv);
}
