/** What is certain without asking a model: the rules of `proctor check` for skills, plugins, commands and suites. */

export { checkSkills } from "./check-skills.ts";
export { checkSuites } from "./check-suites.ts";
export { type OwnCommand, skillCommands } from "./commands/skill-commands.ts";
export { rules } from "./rules.ts";
export { quotes } from "./suites/queries.ts";
export { contentWords, normalText } from "./suites/words.ts";
