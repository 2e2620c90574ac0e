import { createHmac, timingSafeEqual } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { hideFromOutput, UsageError } from "../../base/index.ts";

/** A message of one kind can never pass as another. */
type MessageKind = "run" | "hello" | "welcome" | "status" | "job" | "result";

/**
 * Signs and opens messages. Only holders of the shared key may send jobs and results; access to Redis is not enough.
 * The signature covers the bytes that travel, the kind of the message and the run it belongs to.
 */
export interface Signer {
  sign(kind: MessageKind, run: string, message: unknown): string;
  /** Undefined unless it was signed with this key, as this kind, for this run. */
  open<Message>(kind: MessageKind, run: string, signed: unknown): Message | undefined;
}

const LEAST_KEY = 16;
/** Longer texts are compressed; transcripts shrink to a fifth. */
const COMPRESSED_FROM = 8_192;

export function createSigner(env: NodeJS.ProcessEnv): Signer {
  const key = env["PROCTOR_FLEET_KEY"] ?? "";
  if (key.length < LEAST_KEY)
    throw new UsageError(
      key === ""
        ? "PROCTOR_FLEET_KEY is not set."
        : `PROCTOR_FLEET_KEY is too short: it has ${key.length} characters, and at least ${LEAST_KEY} are needed.`,
      "Jobs and results are signed with it: set the same key for the run and for every worker, for example from: openssl rand -hex 32",
    );
  hideFromOutput([key]);
  const macOf = (kind: MessageKind, run: string, text: string) =>
    createHmac("sha256", key).update(`proctor fleet\n${kind}\n${run}\n`).update(text).digest();
  return {
    sign(kind, run, message) {
      const json = JSON.stringify(message);
      const text = json.length < COMPRESSED_FROM ? `j${json}` : `z${gzipSync(json, { level: 1 }).toString("base64")}`;
      return `${macOf(kind, run, text).toString("hex")}${text}`;
    },
    open<Message>(kind: MessageKind, run: string, signed: unknown) {
      if (typeof signed !== "string" || signed.length <= MAC) return undefined;
      const text = signed.slice(MAC);
      const given = Buffer.from(signed.slice(0, MAC), "hex");
      const wanted = macOf(kind, run, text);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const json = text.startsWith("z") ? gunzipSync(Buffer.from(text.slice(1), "base64")).toString() : text.slice(1);
      return JSON.parse(json) as Message;
    },
  };
}

const MAC = 64;
