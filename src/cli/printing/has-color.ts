/** Colours are for people at a terminal, unless they say otherwise. */
export function hasColor(stream: { isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR || FORCE_COLOR === "0" || FORCE_COLOR === "false") return false;
  return stream.isTTY === true || Boolean(FORCE_COLOR);
}
