/** First in, first out within a group; groups take turns, so that no skill waits for another's hundred questions. */
export class FairQueue<Item extends object> {
  readonly #groups = new Map<string, Group<Item>>();
  #turns: Group<Item>[] = [];
  #turn = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(name: string, item: Item): void {
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
