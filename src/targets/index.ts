/**
 * Who answers: the embedded router, models, real agent CLIs, scripts and replays, all behind one contract.
 * A target turns an ask into events; it never grades.
 */
export { targetKinds } from "./kinds.ts";
export { resolveTarget } from "./resolve.ts";
export type { Answer, Asking, Identity, Sitting, Target } from "./target.ts";
