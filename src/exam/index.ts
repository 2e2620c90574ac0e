/**
 * An exam from the folder of skills to its scores: find → read → plan, then ask → grade → record → score.
 * The steps have a room each; only exam.ts knows them all.
 */

export { askExam, planExams, runExam } from "./exam.ts";
