/**
 * Gives the same value for the same key: of tens of thousands of questions most went like others, and what they have alike is kept once. Nobody may change it. Where
 * nothing is alike, it keeps a bounded number.
 */
export function createPool<Value>(): (key: string, make: () => Value) => Value {
  const known = new Map<string, Value>();
  return (key, make) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = make();
    if (known.size < MOST.values && key.length < MOST.characters) known.set(key, value);
    return value;
  };
}

const MOST = { values: 10_000, characters: 1_000 };
