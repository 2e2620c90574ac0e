import { useMemo } from "preact/hooks";
import { diffOf } from "../../../../src/reporters/html/project/diff.ts";
import { safe } from "../../parts/words.ts";

export function WordDiff({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => wordDiff(before, after), [before, after]);
  return (
    <p class="diff">
      {parts.map(({ type, text }, at) =>
        type === "same" ? (
          <span key={`${at}`}>{safe(text)} </span>
        ) : type === "out" ? (
          <del key={`${at}`}>{safe(text)} </del>
        ) : (
          <ins key={`${at}`}>{safe(text)} </ins>
        ),
      )}
    </p>
  );
}

function wordDiff(before: string, after: string) {
  const [a = [], b = []] = [before, after].map((text) => text.split(/\s+/).filter((word) => word !== ""));
  return diffOf(a, b).map(({ type, items }) => ({ type, text: items.join(" ") }));
}
