import { signal } from "@preact/signals";
import type { PageTrial } from "../../../src/reporters/html/page-data.ts";
import type { Model } from "./model.ts";
import { readTrials } from "./source.ts";

/** The trials of a run, by target, ask and run. */
export type Trials = Map<string, PageTrial>;

const read = signal<{ model: Model; trials: Trials } | undefined>(undefined);
let reading: Model | undefined;

/** The trials of the run shown; undefined until they are read. Callers are redrawn when they arrive or grow. */
export function trialsOf(model: Model): Trials | undefined {
  wantTrials(model);
  const known = read.value;
  return known?.model.exam?.run.id === model.exam?.run.id ? known?.trials : undefined;
}

/** Starts to read the trials, once for every state of a run. */
export function wantTrials(model: Model): void {
  if (reading === model) return;
  reading = model;
  void readTrials(model).then((all) => {
    if (reading === model)
      read.value = {
        model,
        trials: new Map(all.map((trial) => [trialKey(trial.target, trial.ask, trial.run), trial])),
      };
  });
}

/** A trial's key, also used in the address. */
export function trialKey(target: number, ask: string, run: number): string {
  return `${target} ${ask} ${run}`;
}
