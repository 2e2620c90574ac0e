// The floor that `proctor check` is measured against: read each file, parse its YAML or JSON, and nothing else.
import { readFileSync } from "node:fs";
import { parse } from "yaml";

for (const file of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const text = readFileSync(file, "utf8");
  try {
    if (file.endsWith(".md")) parse(/^\uFEFF?---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? "");
    else if (/\.jsonc?$/.test(file)) JSON.parse(text);
    else if (/\.ya?ml$/.test(file)) parse(text);
    else if (file.endsWith(".jsonl"))
      for (const line of text.split("\n")) if (line.trim().startsWith("{")) JSON.parse(line);
  } catch {
    // Some files in the wild are not valid; reading them is part of the job all the same.
  }
}
