/** Memoises a pure function of a text. The cache is cleared when it reaches `most` entries. */
export function remember<T>(compute: (text: string) => T, most = 4096): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= most) known.clear();
    const made = compute(text);
    known.set(text, made);
    return made;
  };
}
