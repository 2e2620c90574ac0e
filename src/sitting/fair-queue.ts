/** First in, first out within a group; groups take turns, so that no skill waits for another's hundred questions. */
export class FairQueue<Item> {
  readonly #groups = new Map<string, { items: Item[]; head: number }>();
  #turns: string[] = [];
  #turn = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(group: string, item: Item): void {
    let queue = this.#groups.get(group);
    if (queue === undefined) {
      queue = { items: [], head: 0 };
      this.#groups.set(group, queue);
      this.#turns.push(group);
    }
    queue.items.push(item);
    this.#size++;
  }

  shift(): Item | undefined {
    while (this.#turns.length > 0) {
      if (this.#turn >= this.#turns.length) this.#turn = 0;
      const name = this.#turns[this.#turn]!;
      const queue = this.#groups.get(name)!;
      if (queue.head < queue.items.length) {
        const item = queue.items[queue.head]!;
        queue.items[queue.head++] = undefined as Item;
        this.#turn++;
        this.#size--;
        return item;
      }
      this.#groups.delete(name);
      this.#turns.splice(this.#turn, 1);
    }
    return undefined;
  }
}
