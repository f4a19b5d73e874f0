import type { Kysely } from 'kysely';
import type { Tables } from '../../tables.ts';
import { idOfLeaf } from '../lines/line-record.ts';
import type { LineRange } from '../lines/pages.ts';
import { readLeaves } from '../lines/read-leaves.ts';
import { type Hash, hashOf } from '../tree/tree-hash.ts';
import { type BorderLine, borderIn } from './border.ts';

/** A line as its seal has it. */
export interface SealedLine {
  readonly hash: Hash;
  /** Null for one that was dropped. */
  readonly leaf: Buffer | null;
  /** It is there although it was dropped. */
  readonly isLeft: boolean;
}

/** The lines of a range in the order of their ids; of those that were dropped the hashes, as the border has them. */
export async function* readSealed(
  db: Kysely<Tables>,
  range: LineRange,
  border: readonly BorderLine[],
): AsyncGenerator<SealedLine> {
  const dropped = borderIn(border, range.after, range.through);
  let at = 0;
  for await (const leaf of readLeaves(db, range)) {
    const id = at < dropped.length ? idOfLeaf(leaf) : 0n;
    for (let line = dropped[at]; line && line.id < id; line = dropped[at]) {
      yield { hash: line.hash, leaf: null, isLeft: false };
      at += 1;
    }
    const isLeft = at < dropped.length && dropped[at]?.id === id;
    if (isLeft) at += 1;
    yield { hash: hashOf(leaf), leaf, isLeft };
  }
  for (const { hash } of dropped.slice(at)) yield { hash, leaf: null, isLeft: false };
}
