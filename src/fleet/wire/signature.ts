import { createHmac, timingSafeEqual } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { hideFromOutput, UsageError } from "../../base/index.ts";

/** What a message is; a message of one kind can never pass as another. */
type MessageKind = "session" | "hello" | "welcome" | "status" | "job" | "result";

/**
 * Signs and opens what passes through the queue. Whoever has the shared key may give jobs and results; whoever only reaches Redis may not.
 * The signature is of the very bytes that travel, with the kind of the message and the session it belongs to.
 */
export interface Seal {
  close(kind: MessageKind, session: string, message: unknown): string;
  /** undefined when it was not signed with this key, as this kind, for this session. */
  open<Message>(kind: MessageKind, session: string, sealed: unknown): Message | undefined;
}

const LEAST_KEY = 16;
/** Above this a text is compressed: transcripts and raw output shrink to a fifth. */
const COMPRESSED_FROM = 8_192;

export function createSeal(env: NodeJS.ProcessEnv): Seal {
  const key = env["PROCTOR_FLEET_KEY"] ?? "";
  if (key.length < LEAST_KEY)
    throw new UsageError(
      key === ""
        ? "PROCTOR_FLEET_KEY is not set."
        : `PROCTOR_FLEET_KEY is too short: it has ${key.length} characters, and at least ${LEAST_KEY} are needed.`,
      "Jobs and results are signed with it: set the same key for the run and for every worker, for example from: openssl rand -hex 32",
    );
  hideFromOutput([key]);
  const sign = (kind: MessageKind, session: string, text: string) =>
    createHmac("sha256", key).update(`proctor fleet\n${kind}\n${session}\n`).update(text).digest();
  return {
    close(kind, session, message) {
      const json = JSON.stringify(message);
      const text = json.length < COMPRESSED_FROM ? `j${json}` : `z${gzipSync(json, { level: 1 }).toString("base64")}`;
      return `${sign(kind, session, text).toString("hex")}${text}`;
    },
    open<Message>(kind: MessageKind, session: string, sealed: unknown) {
      if (typeof sealed !== "string" || sealed.length <= MAC) return undefined;
      const text = sealed.slice(MAC);
      const given = Buffer.from(sealed.slice(0, MAC), "hex");
      const wanted = sign(kind, session, text);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const json = text.startsWith("z") ? gunzipSync(Buffer.from(text.slice(1), "base64")).toString() : text.slice(1);
      return JSON.parse(json) as Message;
    },
  };
}

/** Characters of the signature. */
const MAC = 64;
