/** Replaces the placeholder by the query, which stays plain text. */
export function fill(value: unknown, placeholder: string, query: string): unknown {
  if (typeof value === "string") return value.replaceAll(placeholder, () => query);
  if (Array.isArray(value)) return value.map((member) => fill(member, placeholder, query));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member, placeholder, query)]));
}
