import { z } from "zod";

/** Options of an agent target, under `options` in the configuration. All but the last three can change answers. */
export const agentOptions = z.strictObject({
  max_turns: z.int().min(1).default(6),
  /** `auto`: where there is one. `on`: never without. `off`: the machine itself is the sandbox. */
  sandbox: z.enum(["auto", "on", "off"]).default("auto"),
  /** Keep the host's bundled skills, which compete. */
  realistic: z.boolean().default(false),
  /** Folders with skills that are staged beside the library, as distractors. */
  with_skills: z.array(z.string()).default([]),
  /** The project's own instructions (AGENTS.md, CLAUDE.md), as this host reads them; a text names the folder they are in. */
  with_context: z.union([z.boolean(), z.string().min(1)]).default(false),
  /** For a case, the skill under test alone. */
  only_skill: z.boolean().default(false),
  /** With the user's own login, not a key. */
  use_login: z.boolean().default(false),
  /** Even without a sandbox: skills whose hooks or commands run unprompted. */
  allow_hooks: z.boolean().default(false),
  canary: z.boolean().default(true),
  keep_workspaces: z.boolean().default(false),
});

export type AgentOptions = z.output<typeof agentOptions>;
