import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
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
