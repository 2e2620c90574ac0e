import { withWayOut } from "../../../base/index.ts";
import type { Config, ExamOptions, LoadedConfig, RunSettings, TargetSettings } from "../../../base/options/index.ts";
import { namesTargets } from "../../../formats/index.ts";
import type { Library, Suite } from "../../../model/index.ts";
import { type ModelOptions, ownTarget, resolveTarget, type TargetDefinition } from "../../../targets/index.ts";
import type { PlannedTarget } from "../planned-ask.ts";

export interface FoundTargets {
  targets: PlannedTarget[];
  /** No target was named, so each suite is put to its own targets only. */
  own: boolean;
  settings: ReadonlyMap<string, TargetSettings>;
  models: ModelOptions;
}

interface TargetRequest {
  cwd: string;
  home: string;
  config: LoadedConfig;
  flags: RunSettings;
  options: ExamOptions;
  env: NodeJS.ProcessEnv;
  defined?: readonly TargetDefinition[];
  suites: readonly Suite[];
  resolve?: typeof resolveTarget;
}

/** Targets named by flag, else those of the configuration, else the suites' own. */
export async function findTargets({
  cwd,
  home,
  config,
  flags,
  options,
  env,
  suites,
  defined = [],
  resolve = resolveTarget,
}: TargetRequest): Promise<FoundTargets> {
  const settings = targetSettings(config);
  const named = namedTargets(flags, config);
  const own = targetsOfSuites(suites, options.filters.cases ? "cases" : options.filters.only);
  const { agentOptions = {} } = options;
  const resolveOne = async (id: string): Promise<PlannedTarget> => {
    const set = settings.get(id);
    const targetEnv = set?.env === undefined ? env : { ...env, ...set.env };
    const definition = defined.find((one) => one.id === id);
    const context = {
      cwd,
      root: home,
      env: targetEnv,
      models: { ...modelsOf(config.config, targetEnv), endpoint: set?.endpoint, options: set?.options },
      settings: { ...set, options: { ...set?.options, ...agentOptions } },
    };
    const target = definition === undefined ? await resolve(id, context) : ownTarget(definition);
    return { target, identity: await target.identify() };
  };
  const targets = await Promise.all([...new Set(named ?? own ?? ["embedded"])].map(resolveOne)).catch(
    (error: unknown) => {
      throw named === undefined
        ? withWayOut(error, "These targets are the suite's own; -t embedded predicts the triggers offline.")
        : error;
    },
  );
  return {
    targets,
    own: flags.ownTargets ?? (named === undefined && own !== undefined),
    settings,
    models: { ...modelsOf(config.config, env), agents: { cwd: home, options: agentOptions } },
  };
}

export function namedTargets(flags: RunSettings, config: LoadedConfig): string[] | undefined {
  return flags.targets ?? (config.config.targets && [...targetSettings(config).keys()]);
}

export function identifyFor(library: Library, targets: readonly PlannedTarget[]): Promise<PlannedTarget[]> {
  return Promise.all(
    targets.map(async (planned) => {
      const identity = await planned.target.identifyFor?.(library);
      return identity === undefined ? planned : { ...planned, identity };
    }),
  );
}

function targetSettings({ config }: LoadedConfig): Map<string, TargetSettings> {
  const entries = (config.targets ?? []).map((entry) => (typeof entry === "string" ? { target: entry } : entry));
  return new Map(entries.map((entry) => [entry.target, entry]));
}

function modelsOf({ providers, prices }: Config, env: NodeJS.ProcessEnv): ModelOptions {
  return { env, providers, prices } as ModelOptions;
}

interface OwnTargets {
  trigger: string;
  case: string | undefined;
}

export function ownTargets({ defaults }: Suite): OwnTargets {
  return {
    trigger: defaults.judgeModel === undefined ? "embedded" : `judge:${defaults.judgeModel}`,
    case: defaults.model === undefined ? undefined : `model:${defaults.model}`,
  };
}

/** Undefined unless the format of every suite can name targets. */
function targetsOfSuites(suites: readonly Suite[], only: "triggers" | "cases" | undefined): string[] | undefined {
  if (suites.length === 0 || !suites.every(namesTargets)) return undefined;
  const ids = suites.flatMap((suite) => {
    const own = ownTargets(suite);
    const triggers = suite.triggers.length > 0 && only !== "cases" ? [own.trigger] : [];
    const cases = suite.cases.length > 0 && only !== "triggers" && own.case !== undefined ? [own.case] : [];
    return [...triggers, ...cases];
  });
  return ids.length === 0 ? ["embedded"] : [...new Set(ids)];
}
