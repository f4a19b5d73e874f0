import { hash } from 'node:crypto';

/**
 * 32 bytes, as a text of one character each (latin1). As a `Buffer` a hash takes three times as long to make: 0.9 µs, and
 * every line of the audit takes one.
 */
export type Hash = string;

export const HASH_BYTES = 32;

/** Goes before what a leaf holds, so that no leaf can pass for a node (RFC 6962, section 2.1). */
export const LEAF_PREFIX = 0x00;
const NODE_PREFIX = 0x01;

const node = Buffer.alloc(1 + 2 * HASH_BYTES);
node[0] = NODE_PREFIX;

export const hashOf = (bytes: string | Uint8Array): Hash => hash('sha256', bytes, 'binary');

/** The root of a tree without leaves. */
export const EMPTY_ROOT = hashOf('');

/** One scratch buffer for all: it is hashed before anyone else can write it. */
function hashNode(left: Hash, right: Hash): Hash {
  node.write(left, 1, 'latin1');
  node.write(right, 1 + HASH_BYTES, 'latin1');
  return hash('sha256', node, 'binary');
}

export const toBase64 = (bytes: Hash): string => Buffer.from(bytes, 'latin1').toString('base64');
export const fromBase64 = (text: string): Hash => Buffer.from(text, 'base64').toString('latin1');

/**
 * The right edge of a tree that only grows: the roots of its largest whole subtrees, from left to right. Their sizes are
 * the powers of two that add up to the tree's. It is all that the next leaf and the root need, so a tree of a billion
 * lines continues from at most 30 hashes.
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
    let peak = leafHash;
    // A size may pass 2^31, so no bit operators.
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2)
      peak = hashNode(this.#peaks.pop() ?? peak, peak);
    this.#peaks.push(peak);
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
