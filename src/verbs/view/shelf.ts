import { statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../base/index.ts";
import { isLocked, listRuns, openRecord, type RecordPlace } from "../../exam/record/index.ts";
import { scoreStored } from "../../exam/score/index.ts";
import { keptRuns, sinceEarlierRuns } from "../../history/index.ts";
import type { Library } from "../../model/index.ts";
import {
  libraryData,
  libraryFacts,
  type PageData,
  type PageMemory,
  type PageTranscript,
  servedData,
  servedTranscript,
} from "../../reporters/html/index.ts";

export interface ListedRun {
  run: string;
  startedAt: string | null;
  library: string | null;
  targets: string[];
  partial: boolean;
}

interface ShelfOptions {
  home: string;
  /** The run that was named on the command line. It may be outside `home`. */
  given: RecordPlace | undefined;
  library(): Promise<Library | undefined>;
  config: string | undefined;
}

/** The runs that may be shown. Browsers name them by id, never by path. */
export class Shelf {
  readonly #options: ShelfOptions;
  readonly #memory: PageMemory = { memory: new Map(), facts: new Map() };
  readonly #pages = new Map<string, { state: string; page: Promise<PageData> }>();

  constructor(options: ShelfOptions) {
    this.#options = options;
  }

  /** Without an id, the run named on the command line or else the newest. Undefined if there is none. */
  async place(id: string): Promise<RecordPlace | undefined> {
    const { home, given } = this.#options;
    if (given !== undefined && (id === "" || id === given.run)) return given;
    if (id === "") return (await this.ids()).length === 0 ? undefined : openRecord(home);
    if (!(await this.ids()).includes(id)) throw new UsageError(`There is no run ${id} here.`);
    return openRecord(home, id);
  }

  async ids(): Promise<string[]> {
    return listRuns(this.#options.home);
  }

  async runs(): Promise<ListedRun[]> {
    const kept = await keptRuns(this.#options.home);
    const { given } = this.#options;
    const all =
      given === undefined || kept.some(({ dir }) => dir === given.dir)
        ? kept
        : [...kept, { ...given, startedAt: null, library: null, targets: [], partial: false }];
    return all.map(({ run, startedAt, library, targets, partial }) => ({ run, startedAt, library, targets, partial }));
  }
  state(place: RecordPlace | undefined): { state: string; live: boolean } {
    if (place === undefined) return { state: "none", live: false };
    const live = isLocked(place.dir);
    const [record, notes] = [place.file, join(place.dir, "notes.jsonl")].map(
      (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
    );
    return { state: `${place.file} ${record} ${notes} ${live}`, live };
  }
  async data(id: string): Promise<PageData> {
    const place = await this.place(id);
    const { state } = this.state(place);
    const known = this.#pages.get(id);
    if (known?.state === state) return known.page;
    const page = place === undefined ? this.#libraryPage() : this.#page(place);
    this.#pages.set(id, { state, page });
    page.catch(() => this.#pages.delete(id));
    return page;
  }

  async transcript(
    id: string,
    { target, ask, run }: { target: string; ask: string; run: number },
  ): Promise<PageTranscript | undefined> {
    const place = await this.place(id);
    return place && servedTranscript(place, target, ask, run);
  }

  async #page(place: RecordPlace): Promise<PageData> {
    const scores = await scoreStored(place);
    return servedData(place, {
      scores,
      since: await sinceEarlierRuns(place, scores),
      config: this.#options.config,
      ...this.#memory,
    });
  }

  async #libraryPage(): Promise<PageData> {
    const library = await this.#options.library();
    if (library === undefined) throw new UsageError("There are no runs or skills here to look at.");
    return libraryData(await libraryFacts(library));
  }
}
