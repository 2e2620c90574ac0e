import { sha256 } from "../fingerprint.ts";

/**
 * A name from somebody else's file as one segment of a path that is written to: never a way up or out, and nothing that Windows takes
 * for a device. A name that is safe stays as it is; another gets a mark of its own, so that two names never become one.
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

/** Whether every system accepts it as the name of a file or folder. */
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
