import { nearest, UsageError } from "../base/index.ts";
import { type TargetContext, targetKinds } from "./kinds.ts";
import type { Target } from "./target.ts";

export async function resolveTarget(spec: string, context: TargetContext): Promise<Target> {
  const colon = spec.indexOf(":");
  const prefix = colon < 0 ? spec : spec.slice(0, colon);
  const kind = targetKinds.find((one) => one.prefix === prefix);
  if (kind === undefined) throw unknown(spec, prefix);
  return kind.open(colon < 0 ? "" : spec.slice(colon + 1), context);
}

function unknown(spec: string, prefix: string): UsageError {
  const near = nearest(
    prefix,
    targetKinds.map((kind) => kind.prefix),
  );
  const list = targetKinds.map((kind) => kind.usage).join(", ");
  return new UsageError(
    `There is no target \`${spec}\``,
    `${near.length > 0 ? `Did you mean ${near.join(" or ")}? ` : ""}Targets are: ${list}.`,
  );
}
