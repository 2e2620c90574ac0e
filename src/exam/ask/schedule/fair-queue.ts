/** First in, first out within a group; groups take turns, so that no skill waits for another's hundred questions. */
export class FairQueue<Item extends object> {
  readonly #groups = new Map<string, Group<Item>>();
  #turns: Group<Item>[] = [];
  #turn = 0;
  #size = 0;
  /** What has begun and is to be finished, in the order in which it began. */
  readonly #next: Item[] = [];

  get size(): number {
    return this.#size;
  }

  /** `next`: before all that has not begun. */
  push(name: string, item: Item, next = false): void {
    if (next) {
      this.#next.push(item);
      this.#size++;
      return;
    }
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = { name, items: [], head: 0 };
      this.#groups.set(name, group);
      this.#turns.push(group);
    }
    group.items.push(item);
    this.#size++;
  }

  shift(): Item | undefined {
    const next = this.#next.shift();
    if (next !== undefined) {
      this.#size--;
      return next;
    }
    for (;;) {
      if (this.#turn >= this.#turns.length) this.#turn = 0;
      const group = this.#turns[this.#turn];
      if (group === undefined) return undefined;
      const item = group.items[group.head];
      if (item !== undefined) {
        // What was taken must not be kept in memory by the list it came from.
        group.items[group.head++] = undefined;
        this.#turn++;
        this.#size--;
        return item;
      }
      this.#groups.delete(group.name);
      this.#turns.splice(this.#turn, 1);
    }
  }
}

interface Group<Item> {
  name: string;
  items: (Item | undefined)[];
  head: number;
}
