import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { BEFORE_ALL, firstLine } from '../lines/pages.ts';
import type { DropStatement } from '../note/note-text.ts';
import { sealAt, sealOfLine } from '../sealing/stored-seal.ts';
import { type BadRange, rangeOf } from './bad-range.ts';

/** The first seal after an id that has lines although all of its lines were dropped; null for none. */
export async function findLinesLeft(
  db: Kysely<Tables>,
  drops: readonly DropStatement[],
  after: bigint,
): Promise<BadRange | null> {
  const through = drops.at(-1)?.lastId ?? BEFORE_ALL;
  const id = await firstLine(db, { after, through });
  const seal = id === null ? undefined : await sealOfLine(db, id);
  if (!seal) return null;
  const before = seal.number === 1 ? undefined : await sealAt(db, seal.number - 1);
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from access_log
    where id > ${before?.lastId ?? BEFORE_ALL} and id <= ${seal.lastId}`.execute(db);
  const sealedCount = (seal.edge?.size ?? 0) - (before?.edge?.size ?? 0);
  return { ...rangeOf(seal, 'lines_left'), sealedCount, foundCount: rows[0]?.count ?? 0 };
}
