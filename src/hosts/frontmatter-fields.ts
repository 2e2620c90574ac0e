import type { HostField, HostId } from "./host.ts";
import { hosts } from "./list.ts";

export interface FrontmatterField extends HostField {
  /** `spec` means every host may read it. */
  readBy: readonly HostId[];
}

/** Every frontmatter field of the specification and of the hosts, and what it means for being triggered. Of hosts that share one, the first explains it. */
export const frontmatterFields: Readonly<Record<string, FrontmatterField>> = Object.fromEntries(
  [...new Set(hosts.flatMap(({ fields = {} }) => Object.keys(fields)))].map((key) => {
    // `!`: each key comes from a host that reads it.
    const readers = hosts.flatMap(({ id, fields }) =>
      fields?.[key] === undefined ? [] : [{ id, field: fields[key] }],
    );
    return [key, { ...readers[0]!.field, readBy: readers.map(({ id }) => id) }];
  }),
);
