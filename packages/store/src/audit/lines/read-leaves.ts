import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { HASH_BYTES, type TreeEdge } from '../tree.ts';
import { LEAF_OF_LINE, leavesIn } from './line-record.ts';
import { type LineRange, readPages } from './pages.ts';

/** Leaves after which others get their turn: about a millisecond's. */
const TURN_COUNT = 500;

/** The leaves of all lines in a range, in the order of their ids, whatever lies between. */
export async function* readLeaves(db: Kysely<Tables>, range: LineRange): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const page of readPages(db, range, LEAF_OF_LINE)) {
    for (const leaf of leavesIn(page)) {
      count += 1;
      if (count % TURN_COUNT === 0) await setImmediate();
      yield leaf;
    }
  }
}

/** Bytes of hashes after which others get their turn: about a millisecond's. */
const TURN_BYTES = 2_000 * HASH_BYTES;

/**
 * Adds the lines of a range to a tree. The server hashes them, which halves what sealing costs: it need not send them.
 * Whoever verifies reads and hashes the lines themselves.
 */
export async function addLines(db: Kysely<Tables>, edge: TreeEdge, range: LineRange): Promise<void> {
  for await (const page of readPages(db, range, sql<Buffer>`sha256(${LEAF_OF_LINE})`)) {
    for (let at = 0; at < page.length; at += HASH_BYTES) {
      if (at % TURN_BYTES === 0) await setImmediate();
      edge.add(page.toString('latin1', at, at + HASH_BYTES));
    }
  }
}
