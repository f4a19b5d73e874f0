import { EMPTY_ROOT, type Hash, HASH_BYTES, hashNode } from './tree-hash.ts';

/**
 * The right edge of a tree that only grows: the roots of its largest whole subtrees, from left to right. Their sizes are
 * the powers of two that add up to the tree's. It is all that the next leaf and the root need, so a tree of a billion
 * lines goes on from at most 30 hashes.
 */
export class TreeEdge {
  #size: number;
  readonly #peaks: Hash[];

  private constructor(size: number, peaks: Hash[]) {
    this.#size = size;
    this.#peaks = peaks;
  }

  static empty(): TreeEdge {
    return new TreeEdge(0, []);
  }

  /** Undefined where the bytes cannot be the edge of a tree of that size. */
  static read(size: number, bytes: Buffer): TreeEdge | undefined {
    if (bytes.length !== countOnes(size) * HASH_BYTES) return undefined;
    const peaks: Hash[] = [];
    for (let at = 0; at < bytes.length; at += HASH_BYTES)
      peaks.push(bytes.toString('latin1', at, at + HASH_BYTES));
    return new TreeEdge(size, peaks);
  }

  copy(): TreeEdge {
    return new TreeEdge(this.#size, [...this.#peaks]);
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): Buffer {
    return Buffer.from(this.#peaks.join(''), 'latin1');
  }

  add(leafHash: Hash): void {
    let hash = leafHash;
    // A size may pass 2^31, so no bit operators.
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2)
      hash = hashNode(this.#peaks.pop() ?? hash, hash);
    this.#peaks.push(hash);
    this.#size += 1;
  }

  root(): Hash {
    return this.#peaks.length === 0
      ? EMPTY_ROOT
      : this.#peaks.reduceRight((right, left) => hashNode(left, right));
  }
}

function countOnes(size: number): number {
  let count = 0;
  for (let left = size; left > 0; left = Math.floor(left / 2)) count += left % 2;
  return count;
}
