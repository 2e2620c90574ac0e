import type { Skill } from "../../model/index.ts";
import type { AskedHosts, Finding, Host } from "../host.ts";
import { withoutDescription } from "../why-unlisted.ts";
import { keysOutsideSpec, MOST_DESCRIPTION, specFields } from "./fields.ts";

export const spec: Host = {
  id: "spec",
  title: "the specification",
  card: { absence: withoutDescription },
  lint: {
    longDescription: { most: MOST_DESCRIPTION, are: "forbidden" },
    name: { required: true },
    folderNamedLikeSkill: true,
    invalidYaml: "forbidden",
    own: outsideSpec,
  },
  fields: specFields,
  folders: [".agents"],
};

function outsideSpec(skills: readonly Skill[], { hosts, chosen }: AskedHosts): Finding[] {
  if (!chosen || hosts.some(({ lint }) => lint.refusesOtherKeys)) return [];
  return skills.flatMap((skill): Finding[] => {
    const [first, ...others] = keysOutsideSpec(skill.frontmatter);
    if (first === undefined) return [];
    return [
      {
        code: "skill/extra-keys",
        severity: "warning",
        message: `The specification does not have the ${others.length === 0 ? "key" : "keys"} ${[first, ...others].join(", ")}.`,
        fix: "Remove what no host reads, or move it into metadata.",
        skill,
        at: { key: first },
      },
    ];
  });
}
