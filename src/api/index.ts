export { type ExamRun, type RunExamOptions, runExam } from "./run.ts";
