/**
 * Converts offsets into lines and columns, both from 1. A leading BOM takes no column, since editors do not show it.
 */
export function lineIndex(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const bom = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      // `!`: always an index of `starts`, as `low` and `high` are.
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    const column = offset - (starts[low] ?? 0) + 1 - (low === 0 ? bom : 0);
    return { line: low + 1, column: Math.max(1, column) };
  };
}

export function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
