import { effect, signal } from "@preact/signals";
import type { PageTranscript, PageTrial } from "../../../src/reporters/html/page-data.ts";
import type { PackedTable } from "../../../src/reporters/html/project/tables.ts";
import { unpackPage, unpackTrials, type WirePage } from "../../../src/reporters/html/wire.ts";
import { type Model, modelOf } from "./model.ts";
import { param, route } from "./route.ts";
import { unpack } from "./unpack.ts";

export interface ListedRun {
  run: string;
  startedAt: string | null;
  library: string | null;
  targets: string[];
  partial: boolean;
}

export type Loaded = { status: "loading" } | { status: "failed"; message: string } | { status: "ready"; model: Model };

export const loaded = signal<Loaded>({ status: "loading" });
/** Runs to choose from; empty in a standalone page. */
export const runs = signal<ListedRun[]>([]);
export const isServed = signal(false);
/** The run shown is still being written. */
export const isLive = signal(false);
/** The server no longer answers; the page shows its last data. */
export const isLost = signal(false);

const inFile: { trials?: Promise<PageTrial[]>; transcripts?: Promise<Record<string, PageTranscript> | undefined> } = {};

/** Reads the data embedded in the page, or else asks the server. */
export async function start(): Promise<void> {
  try {
    const data = await unpack<WirePage>("data");
    if (data !== undefined) return show(data);
    if (!/^https?:$/.test(location.protocol)) throw new Error("There is no data in this page.");
    isServed.value = true;
    runs.value = await get<ListedRun[]>("runs");
    follow();
  } catch (error) {
    loaded.value = { status: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

function show(data: WirePage): void {
  loaded.value = { status: "ready", model: modelOf(unpackPage(data)) };
  document.title = `${data.library.name} · Proctor`;
}

export async function readTrials({ exam }: Model): Promise<PageTrial[]> {
  if (exam === null) return [];
  if (isServed.value) {
    const packed = await get<PackedTable>(`trials?run=${encodeURIComponent(exam.run.id)}`).catch(() => undefined);
    return packed === undefined ? [] : unpackTrials(packed);
  }
  inFile.trials ??= unpack<PackedTable>("trials").then((packed) => (packed === undefined ? [] : unpackTrials(packed)));
  return inFile.trials;
}

/** Loads the run in the address, and again whenever its record has grown. */
function follow(): void {
  let open: EventSource | undefined;
  let shown: string | undefined;
  effect(() => {
    const run = route.value.params.get("run") ?? "";
    if (run === shown) return;
    shown = run;
    open?.close();
    open = new EventSource(`events?run=${encodeURIComponent(run)}`);
    open.addEventListener("grown", async (event) => {
      const { live } = JSON.parse(event.data) as { live: boolean };
      try {
        const data = await get<WirePage>(`data?run=${encodeURIComponent(run)}`);
        if (shown !== run) return;
        isLive.value = live;
        show(data);
      } catch (error) {
        loaded.value = { status: "failed", message: error instanceof Error ? error.message : String(error) };
      }
    });
    open.addEventListener("runs", async () => {
      runs.value = await get<ListedRun[]>("runs");
    });
    open.addEventListener("failed", (event) => {
      loaded.value = { status: "failed", message: (JSON.parse(event.data) as { message: string }).message };
    });
    open.onopen = () => {
      isLost.value = false;
    };
    open.onerror = () => {
      isLive.value = false;
      isLost.value = true;
    };
  });
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(path, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error((await response.text()) || `The server answers ${response.status}.`);
  return (await response.json()) as T;
}

/** The transcript of a trial; undefined if neither the page nor its server has it. */
export async function transcriptOf(target: string, ask: string, run: number): Promise<PageTranscript | undefined> {
  if (isServed.value) {
    const query = new URLSearchParams({ run: param("run"), target, ask, number: String(run) });
    return get<PageTranscript>(`trial?${query}`).catch(() => undefined);
  }
  inFile.transcripts ??= unpack<Record<string, PageTranscript>>("transcripts");
  return (await inFile.transcripts)?.[`${target} ${ask} ${run}`];
}
