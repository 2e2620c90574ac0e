import type { PageTarget } from "../../../../src/reporters/html/page-data.ts";
import { to } from "../../data/route.ts";
import { Scroll } from "../../parts/scroll.tsx";
import { number } from "../../parts/words.ts";
import { isMistake, nameOf } from "./cells.ts";

const MOST_MISTAKES = 100;

/** The mistakes as a list. */
export function Mistakes({ target }: { target: PageTarget }) {
  const wrong = target.confusion.cells.filter(isMistake);
  return (
    <section aria-labelledby="mistakes">
      <h2 id="mistakes">Every confusion</h2>
      <Scroll label="Matrix" tall>
        <table class="mistakes">
          <thead>
            <tr>
              <th scope="col">expected</th>
              <th scope="col">fired first</th>
              <th scope="col">trials</th>
              <th scope="col">wrong</th>
            </tr>
          </thead>
          <tbody>
            {wrong.slice(0, MOST_MISTAKES).map((cell) => (
              <tr key={`${cell.expected} ${cell.fired}`}>
                <td>{nameOf(cell.expected)}</td>
                <td>
                  <a
                    class="entry"
                    href={to("questions", "", { expected: cell.expected, fired: cell.fired, target: target.id })}
                  >
                    {nameOf(cell.fired)}
                  </a>
                </td>
                <td class="number">{number(cell.trials)}</td>
                <td class="number">{cell.fired === "(error)" ? "—" : number(cell.wrong)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {wrong.length > MOST_MISTAKES && (
        <p class="quiet">{number(wrong.length - MOST_MISTAKES)} more with fewer trials.</p>
      )}
    </section>
  );
}
