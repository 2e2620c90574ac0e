import { readText } from "../../../base/index.ts";
import type { Skill } from "../../../model/index.ts";
import { placeIn } from "../place.ts";
import { readFrontmatter } from "./frontmatter.ts";

export function readOpenaiYaml(file: string, { reading }: Skill): void {
  if (reading === undefined) return;
  const read = readText(file);
  if (read.status === "unreadable") {
    if (read.reason !== "missing") reading.openaiFault = { message: read.message, location: { file } };
    return;
  }
  const { values, failure, repairs } = readFrontmatter(read.text, read.bom ? 1 : 0, read.text.length);
  const fault = failure ?? repairs[0];
  if (fault) reading.openaiFault = { message: fault.message, location: placeIn(read.text, file, fault.place) };
  else reading.openai = values;
}
