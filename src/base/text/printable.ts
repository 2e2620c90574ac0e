/**
 * Makes untrusted text safe for a terminal: control characters and invisible marks that could move the cursor, change
 * colours or reverse the line become visible. One line stays one line.
 */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x09) return "  ";
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "␡";
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

/** C0, DEL, C1, soft line ends, direction marks and overrides, byte order mark, tag characters, lone surrogates. */
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}\p{Surrogate}]/gu;
