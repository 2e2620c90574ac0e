import type { Rule } from "../base/index.ts";
import { readingRules } from "../exam/find/index.ts";
import { suiteRules } from "../formats/index.ts";
import { hostRules } from "../hosts/index.ts";
import { commandRules } from "./commands/commands.ts";
import { agentRules } from "./plugins/agents.ts";
import { fieldTypeRules } from "./plugins/field-types.ts";
import { hookRules } from "./plugins/hooks.ts";
import { ignoredFieldRules } from "./plugins/ignored-fields.ts";
import { marketplaceRules } from "./plugins/marketplaces.ts";
import { pluginNameRules } from "./plugins/names.ts";
import { pathRules } from "./plugins/paths.ts";
import { manifestRules } from "./plugins/plugin-manifest.ts";
import { serverRules } from "./plugins/servers.ts";
import { bodyRules } from "./skills/body.ts";
import { budgetRules } from "./skills/budget.ts";
import { descriptionRules } from "./skills/description.ts";
import { fieldRules } from "./skills/fields.ts";
import { fileRules } from "./skills/file.ts";
import { nameRules } from "./skills/name.ts";
import { balanceRules } from "./suites/balance.ts";
import { graderRules } from "./suites/graders.ts";
import { suiteNameRules } from "./suites/names.ts";
import { queryRules } from "./suites/queries.ts";
import { repeatRules } from "./suites/repeats.ts";
import { templateRules } from "./suites/templates.ts";

/**
 * Every rule of `proctor check`. Each is declared beside the code that reports it and has a page, docs/rules/<slug>.md.
 */
export const rules: Readonly<Record<string, Rule>> = {
  ...readingRules,
  ...hostRules,
  ...suiteRules,
  ...bodyRules,
  ...fileRules,
  ...nameRules,
  ...fieldRules,
  ...budgetRules,
  ...descriptionRules,
  ...commandRules,
  ...pluginNameRules,
  ...fieldTypeRules,
  ...ignoredFieldRules,
  ...manifestRules,
  ...pathRules,
  ...marketplaceRules,
  ...hookRules,
  ...serverRules,
  ...agentRules,
  ...templateRules,
  ...suiteNameRules,
  ...balanceRules,
  ...queryRules,
  ...graderRules,
  ...repeatRules,
};
