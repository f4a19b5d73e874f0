/** The pending events of a clock that jumps from event to event. */
export class EventQueue {
  now = 0;
  readonly #heap: { at: number; order: number; run: () => void }[] = [];
  #order = 0;

  /** Events of one instant run in the order of their creation. */
  after(seconds: number, run: () => void): void {
    const heap = this.#heap;
    const event = { at: this.now + seconds, order: (this.#order += 1), run };
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(event, heap[parent])) break;
      [heap[index], heap[parent]] = [heap[parent] ?? event, event];
      index = parent;
    }
  }

  /** Runs the next event; false when there is none. */
  step(): boolean {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last) return false;
    if (heap.length > 0) {
      let index = 0;
      for (;;) {
        let child = 2 * index + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child += 1;
        const below = heap[child];
        if (!below || !isBefore(below, last)) break;
        heap[index] = below;
        index = child;
      }
      heap[index] = last;
    }
    this.now = first.at;
    first.run();
    return true;
  }
}

type Placed = { readonly at: number; readonly order: number } | undefined;

function isBefore(one: Placed, other: Placed): boolean {
  if (!one || !other) return false;
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
