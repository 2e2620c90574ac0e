import { gzipSync } from "node:zlib";
import type { PageData, PageTranscript } from "./page-data.ts";
import { pageTemplate } from "./template.ts";
import { packPage, packTrials } from "./wire.ts";

/** Where a page gets its data: from within, or from the server that it comes from. */
export type PageBlocks = { data: PageData; transcripts: Record<string, PageTranscript> } | "served";

/**
 * The page as one document. Nothing of a record is ever put into it as markup: data goes in as the base64 of compressed JSON, which cannot
 * hold a tag, and the page makes text of it. Its policy allows the one script and the one style sheet that it was built with, by their hashes,
 * and no request at all, but to its own server where it is served.
 */
export function pageDocument(blocks: PageBlocks): string {
  const template = pageTemplate();
  const inside =
    blocks === "served"
      ? { connect: "'self'", data: "", trials: "", transcripts: "" }
      : {
          connect: "'none'",
          data: packed(packPage(blocks.data)),
          trials: packed(packTrials(blocks.data)),
          transcripts: packed(blocks.transcripts),
        };
  return template
    .replace("%CONNECT%", () => inside.connect)
    .replace("%DATA%", () => inside.data)
    .replace("%TRIALS%", () => inside.trials)
    .replace("%TRANSCRIPTS%", () => inside.transcripts);
}

/** The same bytes for the same data: the header of node's gzip holds no time. */
function packed(value: unknown): string {
  return gzipSync(JSON.stringify(value, rounded), { level: 9 }).toString("base64");
}

/** Six digits: the rest is noise of floating-point arithmetic. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toFixed(6)) : value;
}
