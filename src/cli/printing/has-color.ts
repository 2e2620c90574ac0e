/** Colours are for people at a terminal, unless they say otherwise. */
export function hasColor(stream: { isTTY?: boolean }): boolean {
  if (process.env["NO_COLOR"]) return false;
  return stream.isTTY === true || Boolean(process.env["FORCE_COLOR"]);
}
