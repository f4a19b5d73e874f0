import { setImmediate } from 'node:timers/promises';
import type { TreeEdge } from './tree-edge.ts';
import { type Hash, hashNode } from './tree-hash.ts';

export interface Inclusion {
  /** The number of the leaf in the whole tree, from 0. */
  readonly index: number;
  /** Of the tree at which it is proven. */
  readonly size: number;
  /** From the leaf's sibling up to the root's child (RFC 6962, section 2.1.1). */
  readonly path: readonly Hash[];
}

/** Leaves that are hashed before others get their turn: about a millisecond's. */
const TURN_COUNT = 1_024;

/**
 * Proves a leaf of a tree of which only the edge of a smaller one and the leaves after it are known: whatever lies wholly
 * in the smaller tree and beside the way from a later leaf to the root is one of the edge's subtrees.
 */
export async function proveInclusion(
  before: TreeEdge,
  leaves: readonly Hash[],
  index: number,
): Promise<Inclusion> {
  const known = new Map(before.subtrees.map(({ start, size, hash }) => [`${start}+${size}`, hash]));
  const knownRoot = (start: number, end: number): Hash | undefined => {
    if (end <= before.size) return known.get(`${start}+${end - start}`);
    return end - start === 1 ? leaves[start - before.size] : undefined;
  };
  const rootNow = (start: number, end: number): Hash => {
    const hash = knownRoot(start, end);
    if (hash !== undefined) return hash;
    const middle = start + largestPowerBelow(end - start);
    return hashNode(rootNow(start, middle), rootNow(middle, end));
  };
  const rootOf = async (start: number, end: number): Promise<Hash> => {
    if (end <= before.size) return rootNow(start, end);
    if (end - start <= TURN_COUNT) {
      await setImmediate();
      return rootNow(start, end);
    }
    const middle = start + largestPowerBelow(end - start);
    return hashNode(await rootOf(start, middle), await rootOf(middle, end));
  };
  const size = before.size + leaves.length;
  const path: Hash[] = [];
  for (let [start, end] = [0, size]; end - start > 1;) {
    const middle = start + largestPowerBelow(end - start);
    path.unshift(await (index < middle ? rootOf(middle, end) : rootOf(start, middle)));
    if (index < middle) end = middle;
    else start = middle;
  }
  return { index, size, path };
}

/** The root that a path leads to from a leaf; undefined for a path that fits no such tree. */
export function rootFrom(leafHash: Hash, { index, size, path }: Inclusion): Hash | undefined {
  if (index < 0 || index >= size) return undefined;
  const isLeft: boolean[] = [];
  for (let [start, end] = [0, size]; end - start > 1;) {
    const middle = start + largestPowerBelow(end - start);
    isLeft.unshift(index < middle);
    if (index < middle) end = middle;
    else start = middle;
  }
  if (isLeft.length !== path.length) return undefined;
  return path.reduce(
    (hash, sibling, level) => (isLeft[level] ? hashNode(hash, sibling) : hashNode(sibling, hash)),
    leafHash,
  );
}

/** The largest power of two that is smaller; for 2 and more. */
const largestPowerBelow = (size: number) => 2 ** Math.floor(Math.log2(size - 1));
