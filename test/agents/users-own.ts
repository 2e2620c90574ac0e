import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeSkills } from "../../src/targets/agents/index.ts";
import type { Check } from "./checks.ts";
import { environment } from "./harness.ts";
import { writeSkill } from "./library.ts";

/** Where the CLIs look in the home of a user. */
const HOMES = [".claude", ".agents", ".codex", ".copilot", ".gemini", ".opencode", ".config/opencode", ".qwen"];

/** A user who has a skill everywhere, in plain sight: HOME and every variable that moves a CLI's folder point to it. */
export const usersOwn: Check = {
  name: "the user's own skills stay out",
  async run(dialect, bench) {
    const home = mkdtempSync(join(tmpdir(), "proctor-home-"));
    try {
      writeSkill(home, "leaked", "Draws every chart there is. Use always.");
      for (const folder of HOMES) {
        mkdirSync(join(home, folder), { recursive: true });
        cpSync(join(home, "skills"), join(home, folder, "skills"), { recursive: true });
        for (const memory of ["CLAUDE.md", "AGENTS.md", "GEMINI.md", "QWEN.md"])
          writeFileSync(join(home, folder, memory), "LEAKED MEMORY\n");
      }
      const env = {
        ...environment(dialect, bench),
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, ".claude"),
        CODEX_HOME: join(home, ".codex"),
      };
      const { entries, bundled } = await seeSkills(dialect.id, bench.library, {
        env: {
          ...env,
          COPILOT_HOME: join(home, ".copilot"),
          GEMINI_CLI_HOME: home,
          XDG_CONFIG_HOME: join(home, ".config"),
          QWEN_HOME: home,
        },
        model: dialect.model,
        hermetic: true,
        cacheDir: bench.cacheDir,
      });
      const listed = entries.filter(({ shown }) => shown !== "absent").length;
      const said =
        bundled.length === 0 && listed > 3
          ? "only the library's are listed"
          : `listed: ${listed}, and ${bundled.join(", ")}`;
      return { right: said === "only the library's are listed", said, wanted: "only the library's are listed" };
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
};
