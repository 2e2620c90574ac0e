import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { UsageError } from "../../base/index.ts";
import { packPage, packTrials, pageDocument } from "../../reporters/html/index.ts";
import { followRun, SAFE_HEADERS } from "./follow.ts";
import type { Shelf } from "./shelf.ts";

export interface Viewing {
  /** Contains a token, without which the server shows nothing. */
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the page to this machine alone. Every request must have the token and the server's own address, and must not
 * come from another site.
 */
export async function startServer(shelf: Shelf, port = 0): Promise<Viewing> {
  const token = randomBytes(24).toString("base64url");
  const ending = new AbortController();
  const followers = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const { port: own } = server.address() as AddressInfo;
    answer(request, response, { shelf, token, port: own, signal: ending.signal, followers }).catch((error: unknown) => {
      if (response.headersSent) response.end();
      else
        refuse(
          response,
          error instanceof UsageError ? 404 : 500,
          error instanceof Error ? error.message : String(error),
        );
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new UsageError(`Port ${port} is in use.`, "Leave out --port to get a free one.")
          : error,
      ),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}/`,
    close: async () => {
      ending.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Serving {
  shelf: Shelf;
  token: string;
  port: number;
  signal: AbortSignal;
  followers: Set<ServerResponse>;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { shelf, token, port, signal, followers }: Serving,
): Promise<void> {
  const fault = faultOf(request, port);
  if (fault !== undefined) return refuse(response, 403, fault);
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405, "This server is read-only.");
  // Absolute or empty addresses are meant for a proxy.
  if (!request.url?.startsWith("/")) return refuse(response, 400, "There is no such address here.");
  const url = new URL(`http://127.0.0.1:${port}${request.url}`);
  const [, given = "", path = "", ...rest] = url.pathname.split("/");
  if (!isSame(given, token) || rest.length > 0)
    return refuse(response, 404, "There is nothing here. Open the full address that proctor view printed.");
  const run = url.searchParams.get("run") ?? "";
  switch (path) {
    case "":
      return send(request, response, { type: "text/html; charset=utf-8", text: pageDocument("served") });
    case "runs":
      return sendJson(request, response, await shelf.runs());
    case "data":
      return sendJson(request, response, packPage(await shelf.data(run)));
    case "trials":
      return sendJson(request, response, packTrials(await shelf.data(run)));
    case "trial": {
      const { searchParams } = url;
      const found = await shelf.transcript(run, {
        target: searchParams.get("target") ?? "",
        ask: searchParams.get("ask") ?? "",
        run: Number(searchParams.get("number")),
      });
      return found === undefined
        ? refuse(response, 404, "The record has no such transcript.")
        : sendJson(request, response, found);
    }
    case "events":
      return follow(request, response, { shelf, run, signal, followers });
    default:
      return refuse(response, 404, "There is nothing here.");
  }
}

/** Each follower polls the disk. Nobody has more pages open than this. */
const MOST_FOLLOWERS = 64;

async function follow(
  request: IncomingMessage,
  response: ServerResponse,
  { shelf, run, signal, followers }: { shelf: Shelf; run: string; signal: AbortSignal; followers: Set<ServerResponse> },
): Promise<void> {
  if (request.method === "HEAD") return refuse(response, 405, "Events can only be read with GET.");
  if (followers.size >= MOST_FOLLOWERS)
    return refuse(response, 503, "Too many pages are following a run already. Close some.");
  followers.add(response);
  response.on("close", () => followers.delete(response));
  await followRun(response, { shelf, id: run, signal });
}

/** Refuses pages of other sites, and other names that resolve to this machine. */
function faultOf({ headers }: IncomingMessage, port: number): string | undefined {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host = "", origin } = headers;
  if (!own.includes(host)) return "This server has another address.";
  if (origin !== undefined && !own.some((one) => origin === `http://${one}`))
    return "Requests from other sites are refused.";
  const from = headers["sec-fetch-site"];
  return from === undefined || from === "same-origin" || from === "none"
    ? undefined
    : "Requests from other sites are refused.";
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function sendJson(request: IncomingMessage, response: ServerResponse, value: unknown): Promise<void> {
  return send(request, response, { type: "application/json; charset=utf-8", text: JSON.stringify(value) });
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { type, text }: { type: string; text: string },
): Promise<void> {
  const packed = /\bgzip\b/.test(String(request.headers["accept-encoding"]))
    ? await promisify(gzip)(text, { level: 1 })
    : undefined;
  response.writeHead(200, { ...SAFE_HEADERS, "content-type": type, ...(packed && { "content-encoding": "gzip" }) });
  response.end(request.method === "HEAD" ? undefined : (packed ?? text));
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...SAFE_HEADERS, "content-type": "text/plain; charset=utf-8" });
  response.end(`${text}\n`);
}
