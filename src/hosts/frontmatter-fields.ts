import type { HostField, HostId } from "./host.ts";
import { hosts } from "./list.ts";

export interface FrontmatterField extends HostField {
  readBy: readonly HostId[];
}

/**
 * All frontmatter fields of the specification and the hosts, with their effect on activation. If hosts share a field,
 * the first one's text is used.
 */
export const frontmatterFields: Readonly<Record<string, FrontmatterField>> = Object.fromEntries(
  [...new Set(hosts.flatMap(({ fields = {} }) => Object.keys(fields)))].map((key) => {
    // `!`: each key comes from a host that reads it.
    const readers = hosts.flatMap(({ id, fields }) =>
      fields?.[key] === undefined ? [] : [{ id, field: fields[key] }],
    );
    return [key, { ...readers[0]!.field, readBy: readers.map(({ id }) => id) }];
  }),
);
