import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { HASH_BYTES, type TreeEdge } from '../tree.ts';
import { LEAF_OF_LINE } from './line-record.ts';
import { type LineRange, readPages } from './pages.ts';

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
