import type {
  PageCollisions,
  PageData,
  PageExam,
  PageQuestion,
  PageResult,
  PageTarget,
  PageTrial,
} from "./page-data.ts";
import { type PackedTable, packTable, unpackTable } from "./project/tables.ts";

/**
 * The page's data as transferred: large parts are packed, and trials are separate because the first view needs none.
 */
export interface WirePage extends Omit<PageData, "exam" | "collisions"> {
  exam: WireExam | null;
  collisions: (Omit<PageCollisions, "pairs"> & { pairs: PackedTable }) | null;
}

interface WireExam extends Omit<PageExam, "questions" | "targets" | "trials"> {
  questions: PackedTable;
  targets: (Omit<PageTarget, "results"> & { results: PackedTable })[];
}

/** The page's data in the browser; trials are unpacked when a view needs them. */
export type ShownPage = Omit<PageData, "exam"> & { exam: WiredExam | null };
export type WiredExam = Omit<PageExam, "trials">;

export function packPage({ exam, collisions, ...page }: PageData): WirePage {
  return {
    ...page,
    exam: exam && packExam(exam),
    collisions: collisions && { ...collisions, pairs: packTable(collisions.pairs) },
  };
}

function packExam({ questions, targets, trials: _, ...exam }: PageExam): WireExam {
  return {
    ...exam,
    questions: packTable(questions),
    targets: targets.map(({ results, ...target }) => ({ ...target, results: packTable(results) })),
  };
}

export function packTrials({ exam }: PageData): PackedTable {
  return packTable(exam?.trials ?? []);
}

export function unpackPage({ exam, collisions, ...page }: WirePage): ShownPage {
  return {
    ...page,
    exam: exam && {
      ...exam,
      questions: unpackTable<PageQuestion>(exam.questions),
      targets: exam.targets.map(({ results, ...target }) => ({ ...target, results: unpackTable<PageResult>(results) })),
    },
    collisions: collisions && { ...collisions, pairs: unpackTable<PageCollisions["pairs"][number]>(collisions.pairs) },
  };
}

export function unpackTrials(table: PackedTable): PageTrial[] {
  return unpackTable<PageTrial>(table);
}
