import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { anthropic } from "./protocols/anthropic.ts";
import { chat } from "./protocols/chat.ts";
import { gemini } from "./protocols/gemini.ts";
import { isJsonObject, type ModelProtocol } from "./protocols/protocol.ts";
import { responses } from "./protocols/responses.ts";
import type { LoopbackRequest, Scenario, ScriptedFault, ScriptedMove } from "./scenario.ts";

const protocols: ModelProtocol[] = [anthropic, responses, chat, gemini];

export interface Loopback {
  url: string;
  requests: LoopbackRequest[];
  close(): Promise<void>;
}

/** A scenario's base URL is `${url}/<scenario>/<run>`, followed by `/v1` for the protocols that have one. */
export async function startLoopback(scenarios: Record<string, Scenario>): Promise<Loopback> {
  const requests: LoopbackRequest[] = [];
  const sockets = new Set<Socket>();
  const faulted = new Map<string, number>();

  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  // Otherwise, on a busy machine, a client may reuse a connection that is just being closed as idle, and fail with an
  // error that is not in the script.
  server.keepAliveTimeout = 0;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readBody(incoming);
    const path = new URL(incoming.url ?? "/", "http://loopback").pathname;
    const protocol = protocols.find((candidate) => candidate.path.test(path));
    if (incoming.headers.upgrade !== undefined) return json(outgoing, 426, { error: "no websockets here" });
    if (incoming.method !== "POST" || protocol === undefined)
      return json(outgoing, incoming.method === "HEAD" ? 200 : 404, { error: `no ${path} here` });

    const [scenarioName = "", ...run] = path
      .replace(protocol.path, "")
      .split("/")
      .filter(Boolean)
      .map(decodeURIComponent);
    const headers = versionHeaders(incoming);
    const request = {
      scenario: scenarioName,
      run: run.join("/"),
      protocol: protocol.name,
      path,
      ...protocol.read(body, path),
      headers,
      body,
    };
    requests.push(request);
    const scenario = scenarios[scenarioName];
    if (scenario === undefined)
      return json(outgoing, 404, protocol.error(404, `there is no scenario "${scenarioName}"`));
    await play(stepOf(scenario, request), protocol, request, outgoing);
  }

  async function play(
    step: ScriptedMove | ScriptedFault,
    protocol: ModelProtocol,
    request: LoopbackRequest,
    outgoing: ServerResponse,
  ): Promise<void> {
    if (!("fault" in step)) return answer(step, protocol, request, outgoing);
    if (step.times !== undefined) {
      const key = JSON.stringify([request.scenario, request.run, request.turn, request.opening]);
      const before = faulted.get(key) ?? 0;
      faulted.set(key, before + 1);
      if (before >= step.times) return answer(step.after ?? { text: "Done." }, protocol, request, outgoing);
    }
    switch (step.fault) {
      case "status":
        if (step.retryAfterSeconds !== undefined) outgoing.setHeader("retry-after", String(step.retryAfterSeconds));
        return json(outgoing, step.status, protocol.error(step.status, step.message ?? `scripted ${step.status}`));
      case "hang":
        return;
      case "garbage":
        outgoing.writeHead(200, { "content-type": request.stream ? "text/event-stream" : "application/json" });
        outgoing.end("<html>this is not what you asked for\n\n");
        return;
      case "cut":
        return cut(step.move ?? { text: "This answer will never be" }, protocol, request, outgoing);
    }
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const VERSION_HEADERS = ["anthropic-beta", "anthropic-version", "openai-beta"];

function versionHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    VERSION_HEADERS.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]]] : [])),
  );
}

function stepOf(scenario: Scenario, request: LoopbackRequest): ScriptedMove | ScriptedFault {
  const steps = scenario.rules?.find((rule) => request.opening.includes(rule.when))?.steps ?? scenario.steps;
  const step = steps[request.turn] ?? { text: "Done." };
  return typeof step === "function" ? step(request) : step;
}

async function answer(
  move: ScriptedMove,
  protocol: ModelProtocol,
  request: LoopbackRequest,
  outgoing: ServerResponse,
): Promise<void> {
  if (move.delayMs !== undefined) await sleep(move.delayMs);
  if (!request.stream) return json(outgoing, 200, protocol.whole(move, request));
  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const piece of protocol.pieces(move, request)) {
    outgoing.write(piece);
    if (move.pieceMs !== undefined) await sleep(move.pieceMs);
  }
  outgoing.end();
}

async function cut(
  move: ScriptedMove,
  protocol: ModelProtocol,
  request: LoopbackRequest,
  outgoing: ServerResponse,
): Promise<void> {
  const text = request.stream ? protocol.pieces(move, request).join("") : JSON.stringify(protocol.whole(move, request));
  outgoing.writeHead(200, { "content-type": request.stream ? "text/event-stream" : "application/json" });
  await new Promise<void>((resolve) => outgoing.write(text.slice(0, Math.floor(text.length / 2)), () => resolve()));
  outgoing.destroy();
}

function json(outgoing: ServerResponse, status: number, value: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(value));
}

async function readBody(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return isJsonObject(body) ? body : {};
  } catch {
    return {};
  }
}
