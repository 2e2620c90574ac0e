import { FREE, type Price, priceOf } from "./prices.ts";
import { runsHere } from "./providers.ts";
import type { ModelSpec } from "./spec.ts";
import type { ModelOptions } from "./target.ts";

/** What a model costs where it is reached: as configured, by the list, or nothing on this machine; undefined when it is not known. */
export function modelPrice(
  spec: ModelSpec,
  options: Pick<ModelOptions, "env" | "providers" | "prices" | "endpoint">,
): Price | undefined {
  return priceOf(spec.provider, spec.model, options.prices) ?? (runsHere(spec, options) ? FREE : undefined);
}
