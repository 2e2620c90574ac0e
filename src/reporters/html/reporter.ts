import type { Reporter } from "../reporter.ts";

/** A single file to open, mail or attach to a CI run. */
export const html: Reporter = {
  name: "html",
  about: "a page to look at, in one file that needs nothing else; docs/page.md",
  async *render(scores, { source, since, base, paths, config }) {
    // Loaded on demand, because the page needs more modules than the other reporters.
    const { pageOfRun, pageOfScores } = await import("./page.ts");
    const seen = { base, paths, config, since };
    yield source === undefined ? pageOfScores(scores, seen) : await pageOfRun(source.place, { ...seen, scores });
  },
};
