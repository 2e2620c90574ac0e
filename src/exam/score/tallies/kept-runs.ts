/** What is kept of a measured run, as bits of a number: there are as many as trials of questions. */
export const BIT = {
  passed: 1,
  misfired: 2,
  firstPassed: 4,
  firstMisfired: 8,
  comparedPassed: 16,
  compared: 32,
} as const;

export const passed = (run: number): boolean => (run & BIT.passed) !== 0;
export const misfired = (run: number): boolean => (run & BIT.misfired) !== 0;
/** Of a case, by the graders that it is compared by; null where they could not be made. */
export const passedCompared = (run: number): boolean | null =>
  (run & BIT.compared) === 0 ? null : (run & BIT.comparedPassed) !== 0;
/** The same, had only the first move counted. */
export const firstMovePassed = (run: number): boolean => (run & BIT.firstPassed) !== 0;
export const firstMoveMisfired = (run: number): boolean => (run & BIT.firstMisfired) !== 0;

/** What is kept of every run that was made. The others are holes in the list, of which a damaged record may claim any number: `in` passes over them. */
export function eachRun(runs: readonly number[], look: (kept: number, index: number) => void): void {
  if (runs.length <= FEW) {
    for (let index = 0; index < runs.length; index++) {
      const kept = runs[index];
      if (kept !== undefined) look(kept, index);
    }
    return;
  }
  for (const key in runs) {
    const kept = runs[Number(key)];
    if (kept !== undefined) look(kept, Number(key));
  }
}

/** Keeps something of a run, by its number from 1. */
export function keepRun(runs: number[], run: number, kept: number): void {
  // What is beyond any list's length is a member of it by name, which only `in` comes by.
  if (run > 2 ** 32 - 1 && runs.length <= FEW) runs.length = FEW + 1;
  runs[run - 1] = kept;
}

/** Lists up to this length are gone through by number. */
const FEW = 1_000;

/** An array that grows by pushing reserves room for 17; there are as many arrays as questions and asks. */
export function sized(runs: number): number[] {
  return new Array<number>(Math.min(runs, 100));
}
