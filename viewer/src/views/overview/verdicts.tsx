import type { PageTarget } from "../../../../src/reporters/html/page-data.ts";
import { to } from "../../data/route.ts";
import { Mark } from "../../parts/marks.tsx";
import { number } from "../../parts/words.ts";

/** The number of questions per verdict, as a bar. */
export function Verdicts({ target }: { target: PageTarget }) {
  const { results } = target;
  const counts = ["pass", "fail", "unsure", "inconclusive"].map((verdict) => ({
    verdict,
    n: results.filter((result) => result.status !== "skipped" && result.verdict === verdict).length,
  }));
  const all = Math.max(
    1,
    counts.reduce((sum, { n }) => sum + n, 0),
  );
  return (
    <div class="verdicts">
      <div class="bar" aria-hidden="true">
        {counts.map(({ verdict, n }) => n > 0 && <i key={verdict} class={verdict} style={{ flexGrow: n / all }} />)}
      </div>
      <p>
        {counts
          .filter(({ n, verdict }) => n > 0 || (verdict === "fail" && target.total.coverage.verdicts > 0))
          .map(({ verdict, n }) => (
            <a key={verdict} href={to("questions", "", { verdict, target: target.id })}>
              <Mark verdict={verdict} said={false} /> <b>{number(n)}</b>{" "}
              {{ pass: "pass", fail: "fail", unsure: "cannot tell", inconclusive: "no verdict" }[verdict]}
            </a>
          ))}
      </p>
    </div>
  );
}
