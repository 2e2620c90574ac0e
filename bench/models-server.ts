// The scripted model of bench/models.mjs, in a process of its own as models are: says its address, then how many requests it had.
import { type LoopbackRequest, startLoopback } from "../src/loopback/index.ts";

const yes = { text: "DECISION=YES REASON=It fits.", delayMs: Number(process.argv[2]) };
const server = await startLoopback({ calm: { steps: [yes] }, rough: { steps: [rough] } });
process.on("message", (scenario) =>
  process.send?.(server.requests.filter((request) => request.scenario === scenario).length),
);
process.on("disconnect", () => process.exit());
process.send?.(server.url);

/** Every tenth query is turned away once, and every twentieth of the others is cut off once. */
function rough({ opening }: LoopbackRequest) {
  const number = Number(/query (\d+)/.exec(opening)?.[1]);
  if (number % 10 === 0) return { fault: "status" as const, status: 429, retryAfterSeconds: 0, times: 1, after: yes };
  if (number % 20 === 1) return { fault: "cut" as const, times: 1, after: yes };
  return yes;
}
