/** The lint: what is wrong with skills, and what each host makes of it. An inner room, so that who only lists hosts need not load it. */

export { checkSkills } from "./check-skills.ts";
export { type OwnCommand, skillCommands } from "./commands/skill-commands.ts";
export { skillRules } from "./rules.ts";
