import { resolve } from "node:path";
import type { ExamFlags } from "../options/index.ts";
import { type Config, configSchema, loadConfig } from "../options/index.ts";
import { prepareExams } from "../plan/index.ts";
import { type RecordPlace, readRecord } from "../records/index.ts";
import { logEva } from "../runs/index.ts";
import { exitCode, type Scores, scoreRecord } from "../scores/index.ts";
import { type ExamEvent, sitExam } from "../sitting/index.ts";

export interface RunExamOptions extends ExamFlags {
  /** The working directory unless said. */
  cwd?: string;
  /** Where to look and what to ask. */
  paths?: string[];
  /** A configuration, or the file to read it from; otherwise the nearest proctor.config.* counts. */
  config?: Config | string;
  env?: NodeJS.ProcessEnv;
  /** Ends the run: what is under way is finished, nothing new starts. */
  signal?: AbortSignal;
  on?(event: ExamEvent): void;
}

export interface ExamRun {
  library: string;
  record: RecordPlace;
  scores: Scores;
  /** What `proctor run` would end with. */
  exitCode: 0 | 1 | 3 | 130;
}

/** `proctor run` as a function: one result per library that has questions. What cannot be asked at all throws a UsageError. */
export async function runExam(options: RunExamOptions = {}): Promise<ExamRun[]> {
  const { cwd = process.cwd(), paths, config, env = process.env, signal, on, ...flags } = options;
  const loaded =
    typeof config === "object"
      ? { config: configSchema.parse(config), root: resolve(cwd) }
      : await loadConfig({ cwd, env, ...(config !== undefined && { file: config }) });
  const exams = await prepareExams({ cwd, config: loaded, flags, env, ...(paths && { paths }) });
  const runs: ExamRun[] = [];
  for (const exam of exams) {
    if (signal?.aborted) break;
    const { place, footer } = await sitExam(exam, { ...(signal && { finish: signal }), ...(on && { on }) });
    await logEva(exam, place, footer);
    const scores = await scoreRecord(readRecord(place.file));
    runs.push({ library: exam.library.name, record: place, scores, exitCode: exitCode(scores) });
  }
  return runs;
}
