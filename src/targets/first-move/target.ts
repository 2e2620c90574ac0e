import { UsageError } from "../../base/index.ts";
import { loadAdapter } from "../../hosts/index.ts";
import type { Identity, Library } from "../../model/index.ts";
import { type FoundAgent, findAgent, pathVariable } from "../agents/process/find-cli.ts";
import { firstRequest } from "../agents/see/first-request.ts";
import type { ModelOptions } from "../models/index.ts";
import { PRICES_DATE, type Price, priceOf } from "../models/prices.ts";
import type { Target } from "../target.ts";
import {
  type Capture,
  type Captured,
  captureFingerprint,
  captureOf,
  storeCapture,
  storedCapture,
  storedCaptures,
} from "./capture.ts";
import { openFirstMove } from "./open-target.ts";
import { providerOf, routeOf } from "./route.ts";

/** Raise it when sending or reading changes, so that cached answers no longer count. */
const FIRST_MOVE_VERSION = 1;

export interface FirstMoveSettings {
  env: NodeJS.ProcessEnv;
  root: string;
  models: ModelOptions;
  endpoint?: string | undefined;
  options?: Record<string, unknown> | undefined;
  cacheDir?: string;
}

export async function firstMoveTarget(name: string, settings: FirstMoveSettings): Promise<Target> {
  const colon = name.indexOf(":");
  const host = colon < 0 ? name : name.slice(0, colon);
  if (host === "")
    throw new UsageError("Whose first move?", "Name an agent and a model, for example firstmove:claude:haiku.");
  const adapter = await loadAdapter(host);
  if (settings.options?.["with_skills"] !== undefined)
    throw new UsageError(
      "firstmove: cannot be asked with other skills beside the library.",
      `Ask the agent itself: ${name}.`,
    );
  if (settings.options?.["with_context"])
    throw new UsageError(
      "firstmove: cannot be asked with the project's own instructions.",
      `Ask the agent itself: ${name}.`,
    );
  const model = colon < 0 || colon === name.length - 1 ? adapter.defaultModel : name.slice(colon + 1);
  const { providers, prices } = settings.models;
  const route = routeOf(adapter, { model, env: settings.env, endpoint: settings.endpoint, providers });
  const realistic = settings.options?.["realistic"] === true;
  const found = await findAgent(adapter, settings.env);
  const stored = (await storedCaptures(settings.root, { adapter, model, realistic })).find(
    ({ key }) => found === undefined || key.hostVersion === found.version,
  );
  const version = found?.version ?? stored?.key.hostVersion;
  if (version === undefined)
    throw await notInstalled({ adapter, model, realistic }, settings.root, "no first request of it is stored");
  const provider = providerOf(adapter);
  const priced = (asked: string) => priceOf(provider, asked, prices);
  const price = priced(stored?.requestModel ?? model);
  const shown = `${adapter.title} ${version} ${realistic ? "with" : "without"} its own skills`;
  const note = `the first request of ${shown}, answered once by the model; nothing was run`;
  const identity: Identity = {
    host: adapter.id,
    version,
    provider,
    model,
    endpoint: route.endpoint,
    options: { adapter: adapter.revision, firstMove: FIRST_MOVE_VERSION, realistic },
    deterministic: false,
  };
  const captures = new Map<string, Promise<Capture>>();
  const capture = (library: Library): Promise<Capture> => {
    const known =
      captures.get(library.fingerprint) ?? captureFor({ adapter, version, model, realistic, library }, found, settings);
    captures.set(library.fingerprint, known);
    known.catch(() => captures.delete(library.fingerprint));
    return known;
  };

  return {
    id: `firstmove:${name}`,
    kind: "firstmove",
    predicted: false,
    answers: { trigger: true, case: "only its first move is asked for; a case needs the agent itself" },
    expectedCostUsd: price === undefined ? null : expectedCost(price),
    concurrency: 16,
    note: price === undefined ? note : `${note}; dollars are estimates from list prices of ${PRICES_DATE}`,
    identify: async () => identity,
    identifyFor: async (library) => {
      const captured = captureFingerprint(await capture(library));
      return { ...identity, options: { ...identity.options, captured } };
    },
    open: async (library) => {
      const first = await capture(library);
      return openFirstMove({
        adapter,
        route,
        capture: first,
        library,
        price: priced(first.requestModel) ?? priced(model),
      });
    },
  };
}

async function captureFor(
  captured: Captured,
  found: FoundAgent | undefined,
  settings: FirstMoveSettings,
): Promise<Capture> {
  const { adapter, model, realistic, library } = captured;
  const stored = await storedCapture(settings.root, captured);
  if (stored !== undefined) return stored;
  if (found === undefined)
    throw await notInstalled(
      captured,
      settings.root,
      "no first request of it is stored for the skills as they are now",
    );
  const { env, cacheDir } = settings;
  const first = await firstRequest({
    adapter,
    file: found.path,
    model,
    library,
    env,
    hermetic: !realistic,
    cacheDir,
  });
  const capture = captureOf(captured, first);
  if (!JSON.stringify(capture.body).includes(capture.placeholder))
    throw new UsageError(
      `${adapter.title} ${found.version} does not pass its prompt on unchanged, so its first move cannot be asked for.`,
    );
  await storeCapture(settings.root, capture);
  return capture;
}

function expectedCost(price: Price): number {
  return (20_000 * (price.cacheRead ?? price.input) + 1_500 * price.input + 300 * price.output) / 1_000_000;
}

/** A stored request of the other variant is not used: it would answer another question. */
async function notInstalled(
  { adapter, model, realistic }: Pick<Captured, "adapter" | "model" | "realistic">,
  root: string,
  why: string,
): Promise<UsageError> {
  const other = (await storedCaptures(root, { adapter, model, realistic: !realistic })).length > 0;
  const see = `proctor see ${adapter.id}${realistic ? "" : " --hermetic"}`;
  const variant = realistic ? "without its own skills: leave out --realistic" : "with its own skills: pass --realistic";
  const stored = other ? `One is stored ${variant} to use it, or run ${see} where it is installed.\n  ` : "";
  return new UsageError(
    `${adapter.title} is not installed, and ${why}.`,
    `${stored}Install it with ${adapter.install}, or set ${pathVariable(adapter)}. proctor doctor shows what is here.`,
  );
}
