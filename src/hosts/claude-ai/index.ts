import type { Host } from "../host.ts";
import { keysOutsideSpec, MOST_DESCRIPTION } from "../spec/fields.ts";
import { firstOf, withLongDescription, withoutDescription } from "../why-unlisted.ts";
import { hasReservedName, hasTags, uploadFindings } from "./lint.ts";

/** Covers the Skills API too. */
export const claudeAi: Host = {
  id: "claude-ai",
  title: "claude.ai",
  card: {
    absence: firstOf(
      ({ frontmatter }) => {
        const [extra] = keysOutsideSpec(frontmatter);
        return extra === undefined ? undefined : `claude.ai refuses the key ${extra}`;
      },
      (skill) => (hasReservedName(skill) ? "claude.ai refuses its name" : undefined),
      (skill) => (hasTags(skill) ? "claude.ai refuses tags in its description" : undefined),
      withLongDescription,
      withoutDescription,
    ),
  },
  lint: {
    longDescription: { most: MOST_DESCRIPTION, are: "refused" },
    name: { required: true },
    invalidYaml: "forbidden",
    refusesOtherKeys: true,
    own: uploadFindings,
  },
};
