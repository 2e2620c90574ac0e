/** The library: everything the command line does, as functions. */
export type { Card, Library, Skill } from "./skills/index.ts";
