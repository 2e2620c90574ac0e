import stringWidth from "fast-string-width";

export function displayWidth(text: string): number {
  return stringWidth(text);
}

export function fitColumns(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let end = 0;
  let width = 0;
  for (const { segment, index } of graphemes().segment(text)) {
    width += displayWidth(segment);
    if (width > columns) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** Created lazily: it takes longer than many commands do. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter;
}

let segmenter: Intl.Segmenter | undefined;
