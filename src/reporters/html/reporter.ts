import type { Reporter } from "../reporter.ts";

/** The page: one file to look at, to mail and to attach to a CI run. */
export const html: Reporter = {
  name: "html",
  about: "a page to look at, in one file that needs nothing else; docs/page.md",
  async *render(scores, { source, since, base, paths, config }) {
    // The page needs more rooms than the other reporters; who does not ask for it does not load them.
    const { pageOfRun, pageOfScores } = await import("./page.ts");
    const seen = { base, paths, config, since };
    yield source === undefined ? pageOfScores(scores, seen) : await pageOfRun(source.place, { ...seen, scores });
  },
};
