import { expect, test } from 'vitest';
import { EMPTY_ROOT, type Hash, hashOf, TreeEdge } from './tree.ts';

/** What the leaves of the tests of RFC 6962's reference implementation hold, and the roots of its trees of 1 to 8. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const hashes = LEAVES.map((leaf) => hashOf(Buffer.from(`00${leaf}`, 'hex')));

const hex = (hash: Hash) => Buffer.from(hash, 'latin1').toString('hex');

function edgeOf(leaves: readonly Hash[]): TreeEdge {
  const edge = TreeEdge.empty();
  for (const leaf of leaves) edge.add(leaf);
  return edge;
}

// Without it no other program could verify a seal.
test('the root is that of RFC 6962', () => {
  expect(edgeOf([]).root()).toEqual(EMPTY_ROOT);
  expect(ROOTS.map((_, index) => hex(edgeOf(hashes.slice(0, index + 1)).root()))).toEqual(ROOTS);
});

test('a tree continues from its stored edge', () => {
  for (let size = 0; size <= 8; size += 1) {
    const edge = TreeEdge.read(size, edgeOf(hashes.slice(0, size)).bytes);
    for (const leaf of hashes.slice(size)) edge?.add(leaf);
    expect(hex(edge?.root() ?? '')).toBe(ROOTS[7]);
  }
});

test.each([
  [1, 0],
  [0, 32],
  [7, 64],
  [8, 33],
])('a tree of %i leaves has no edge of %i bytes', (size, byteCount) => {
  expect(TreeEdge.read(size, Buffer.alloc(byteCount))).toBeUndefined();
});
