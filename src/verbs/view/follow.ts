import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Shelf } from "./shelf.ts";

/** Interval between looks at a record. Building the page takes at most one part in SHARE + 1 of the time. */
const LOOK_MS = 400;
const SHARE = 4;
/** A comment is sent after this much silence, so that proxies keep the connection open. */
const QUIET_MS = 15_000;

/**
 * Sends server-sent events about a run: `grown` when its record has more to show, `runs` when a run was added or
 * removed. The page then fetches what it shows. Without an id it follows the newest run, so that a run that starts is
 * shown at once.
 */
export async function followRun(
  response: ServerResponse,
  { shelf, id, signal }: { shelf: Shelf; id: string; signal: AbortSignal },
): Promise<void> {
  response.writeHead(200, { ...SAFE_HEADERS, "content-type": "text/event-stream; charset=utf-8" });
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const over = AbortSignal.any([signal, gone.signal]);
  let [state, runs, failed, quiet] = ["", (await shelf.ids()).join(), "", 0];
  while (!over.aborted) {
    const started = performance.now();
    try {
      const now = shelf.state(await shelf.place(id));
      if (now.state !== state) {
        state = now.state;
        await shelf.data(id);
        tell(response, "grown", { live: now.live });
        failed = "";
        quiet = 0;
      }
      const ids = (await shelf.ids()).join();
      if (ids !== runs) {
        runs = ids;
        tell(response, "runs", {});
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== failed) tell(response, "failed", { message });
      failed = message;
    }
    const wait = Math.max(LOOK_MS, (performance.now() - started) * SHARE);
    quiet += wait;
    if (quiet > QUIET_MS) {
      response.write(":\n\n");
      quiet = 0;
    }
    await sleep(wait, undefined, { signal: over, ref: false }).catch(() => {});
  }
  response.end();
}

function tell(response: ServerResponse, event: string, data: object): void {
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** Sent with every response. The page contains its own policy; this adds what only a header can set. */
export const SAFE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;
