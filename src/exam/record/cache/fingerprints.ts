import { fingerprint } from "../../../base/index.ts";
import { contentHash } from "../../../formats/index.ts";
import type { Ask } from "../../../model/index.ts";

const known = new WeakMap<Ask, string>();

/** Fingerprint of what is asked, independent of the library. */
export function askFingerprint(ask: Ask): string {
  let print = known.get(ask);
  if (print === undefined) {
    const { kind, prompt, files, messages, skill, limits, setup, followUps, responder, variant } = ask;
    const contents = files.map((file) => ("from" in file ? { path: file.path, sha256: contentHash(file) } : file));
    const compared = variant && (variant.fingerprint ?? "without");
    const asked = { kind, prompt, files: contents, messages, skill, limits, setup, followUps, responder };
    // Undefined members are not in the fingerprint, so that answers cached by earlier versions stay valid.
    print = short({ ...asked, variant: compared });
    known.set(ask, print);
  }
  return print;
}

/** Half a SHA-256: collisions are still out of reach, and the cache is a third smaller. */
export function short(value: unknown): string {
  return fingerprint(value).slice(0, 32);
}
