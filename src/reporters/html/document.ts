import { gzipSync } from "node:zlib";
import type { PageData, PageTranscript } from "./page-data.ts";
import { pageTemplate } from "./template.ts";
import { packPage, packTrials } from "./wire.ts";

/** A page either embeds its data or fetches it from the server that serves it. */
export type PageBlocks = { data: PageData; transcripts: Record<string, PageTranscript> } | "served";

/**
 * The page as one document. Record content never becomes markup: it is embedded as base64 of compressed JSON, which
 * cannot contain a tag, and rendered as text. The content security policy allows only the built script and style sheet,
 * by hash, and no requests except to the page's own server when it is served.
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

/** Deterministic: the header of node's gzip contains no timestamp. */
function packed(value: unknown): string {
  return gzipSync(JSON.stringify(value, rounded), { level: 9 }).toString("base64");
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toFixed(6)) : value;
}
