import { setTimeout as sleep } from "node:timers/promises";
import { worker } from "../../src/api/index.ts";

/** A worker that a prompt with "poison" in it kills, as a trial that eats all memory would; and that can take its time with the others. */
const [url = "", name = "fragile"] = process.argv.slice(2);
const ending = new AbortController();
process.on("SIGTERM", () => ending.abort());
await worker({
  url,
  name,
  jobs: 4,
  signal: ending.signal,
  on(event) {
    if (event.type === "started") process.stdout.write(`started ${event.prompt}\n`);
    if (event.type === "started" && event.prompt.includes("poison")) process.kill(process.pid, "SIGKILL");
  },
});
await sleep(0);
