import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { isWithin } from "../../base/index.ts";

export const insidePath = z
  .string()
  .min(1, "The path is empty")
  .refine(leadsNowhereElse, { error: ({ input }) => `The path "${String(input)}" leads out of the workspace` })
  .transform((path) =>
    path
      .replaceAll("\\", "/")
      .replace(/^(?:\.\/)+/, "")
      .replace(/(?<!\/)\/+$/, ""),
  );

function leadsNowhereElse(path: string): boolean {
  if (path.includes("\0") || isAbsolute(path) || /^[A-Za-z]:|^[\\/]|^~/.test(path)) return false;
  return isWithin("x", join("x", path.replaceAll("\\", "/")));
}
