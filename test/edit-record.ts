import { readFileSync, writeFileSync } from "node:fs";
import { withChecksum } from "../src/exam/record/lines/checksum.ts";
import type { RecordLine } from "../src/model/index.ts";

/** Rewrites a record as if its lines had been written so: with the numbers and checksums of a whole one. */
export function editRecord(file: string, edit: (lines: RecordLine[]) => RecordLine[]): void {
  const lines = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => {
      const { n: _n, sum: _sum, ...line } = JSON.parse(text) as Record<string, unknown>;
      return line as unknown as RecordLine;
    });
  let seed = "";
  const texts = edit(lines).map((line, number) => {
    const { text, sum } = withChecksum(JSON.stringify(line), number, seed);
    if (number === 0) seed = sum;
    return `${text}\n`;
  });
  writeFileSync(file, texts.join(""));
}
