import { sha256 } from "../fingerprint.ts";

/**
 * Turns an untrusted name into one safe path segment: no way up or out, and no Windows device. A safe name stays as it
 * is; any other gets a hash suffix, so that two names never become one.
 */
export function safeSegment(name: string): string {
  if (isSafeSegment(name)) return name;
  const cleaned = name
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-")
    .replaceAll(/^[.-]+|[.-]+$/g, "")
    .slice(0, 60);
  return `${cleaned === "" || DEVICE.test(cleaned) ? "skill" : cleaned}-${sha256(name).slice(0, 6)}`;
}

export function isSafeSegment(name: string): boolean {
  return (
    name !== "" &&
    Buffer.byteLength(name) <= 200 &&
    !FORBIDDEN.test(name) &&
    !/^\.+$|[. ]$|^ /.test(name) &&
    !DEVICE.test(name)
  );
}

const FORBIDDEN = /[\u0000-\u001f\u007f<>:"/\\|?*]/;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;
