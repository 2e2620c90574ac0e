#!/usr/bin/env node
import { VERSION } from "../base/index.ts";

if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) {
  process.stdout.write(`${VERSION}\n`);
} else {
  // A reader that has seen enough (`| head`) is no fault of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const { main } = await import("./program.ts");
  process.exitCode = await main(process.argv);
}
