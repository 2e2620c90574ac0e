import type { PageDiff } from "../../../../src/reporters/html/page-data.ts";
import { Scroll } from "../../parts/scroll.tsx";
import { count, oneLine, safe } from "../../parts/words.ts";

const SIGNS: Record<string, string> = { "+": "in", "-": "out" };

export function Diff({ diff: { hunks, leftOff }, path }: { diff: PageDiff; path: string }) {
  if (hunks.length === 0)
    return <p class="quiet">{leftOff > 0 ? "The change is too long to show here." : "No line of it changed."}</p>;
  return (
    <Scroll label={`What changed in ${oneLine(path)}`}>
      <table class="file-diff">
        <tbody>
          {hunks.map((hunk, at) => {
            let [from, now] = [hunk.before, hunk.after];
            return [
              at > 0 && (
                <tr key={`${at} gap`} class="gap">
                  <td colSpan={3}>…</td>
                </tr>
              ),
              ...hunk.lines.map((line, place) => {
                const sign = line.slice(0, 1);
                const number = sign === "-" ? from : now;
                if (sign !== "+") from++;
                if (sign !== "-") now++;
                return (
                  <tr key={`${at} ${place}`} class={SIGNS[sign] ?? ""}>
                    <td class="number">{number}</td>
                    <td class="sign">{sign === "-" ? "−" : sign}</td>
                    <td class="line">
                      <bdi>{safe(line.slice(1))}</bdi>
                    </td>
                  </tr>
                );
              }),
            ];
          })}
        </tbody>
      </table>
      {leftOff > 0 && <p class="quiet">{count(leftOff, "more line")} in the record</p>}
    </Scroll>
  );
}

/** `+3 −1`. */
export function linesText({ hunks }: PageDiff): string {
  const of = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return `+${of("+")} −${of("-")}`;
}
