import type { createColors } from "picocolors";
import type { Since } from "../../runs/index.ts";

/** What every part of the screen is drawn with. */
export interface ReportScreen {
  colors: ReturnType<typeof createColors>;
  width: number;
  verbose: boolean;
  record: string | undefined;
  /** The path commands need to mean this library; undefined when they need none. */
  base: string | undefined;
  /** What the run was given to choose questions, as seen from here; undefined when it asked about all of the library. */
  paths: string[] | undefined;
  /** The configuration that commands must name. */
  config: string | undefined;
  /** How the run compares with earlier ones. */
  since: readonly Since[];
}
