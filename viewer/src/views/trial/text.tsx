import { useState } from "preact/hooks";
import type { CutText } from "../../../../src/reporters/html/page-data.ts";
import { count, number, safe } from "../../parts/words.ts";

/** Lines and characters shown of a folded text, and the most characters put into the page at once. */
const FOLD = { lines: 12, chars: 900, most: 200_000 };

/** Text of a transcript, never treated as markup; folded if long. */
export function Text({ text: { text, leftOff }, code = false }: { text: CutText; code?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const short = firstLines(text);
  const isLong = short.length < text.length;
  const shown = isOpen ? text.slice(0, FOLD.most) : short;
  return (
    <div class={code ? "text code" : "text"}>
      <pre>
        <bdi>{safe(shown)}</bdi>
      </pre>
      {isLong && (
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "fold" : `show all ${number(text.length)} characters`}
        </button>
      )}
      {isOpen && text.length > FOLD.most && (
        <p class="quiet">{count(text.length - FOLD.most, "more character")} are not shown.</p>
      )}
      {leftOff > 0 && <p class="quiet">{count(leftOff, "more character")} in the record</p>}
    </div>
  );
}

function firstLines(text: string): string {
  const head = text.slice(0, FOLD.chars);
  const lines = head.split("\n");
  const kept = lines.length > FOLD.lines ? lines.slice(0, FOLD.lines).join("\n") : head;
  // A fold that hides next to nothing is only in the way.
  return text.length - kept.length < 120 && text.split("\n", FOLD.lines + 4).length <= FOLD.lines + 3 ? text : kept;
}
