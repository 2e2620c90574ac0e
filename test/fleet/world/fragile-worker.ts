import { setTimeout as sleep } from "node:timers/promises";
import { worker } from "../../../src/verbs/index.ts";

/** A worker that a prompt with "poison" in it kills, as a trial that eats all memory would; and that can take its time with the others. */
const [url = "", name = "fragile", jobs = "4"] = process.argv.slice(2);
const ending = new AbortController();
process.on("SIGTERM", () => ending.abort());
await worker({
  url,
  name,
  jobs: Number(jobs),
  signal: ending.signal,
  on(event) {
    if (event.type === "notice") process.stdout.write(`${event.text}\n`);
    if (event.type === "started") process.stdout.write(`started ${event.prompt}\n`);
    if (event.type === "started" && event.prompt.includes("poison")) process.kill(process.pid, "SIGKILL");
  },
});
await sleep(0);
