import type { Kysely } from 'kysely';
import type { Month } from '../../partitions/month.ts';
import type { Tables } from '../../tables.ts';
import { lastSeal, sealBefore, sealOfLine, type StoredSeal } from '../sealing/stored-seal.ts';
import { linesOfMonth, type MonthLines } from './lines-of-month.ts';
import { type StoredDrop, storedDrops } from './stored-drop.ts';

/** What a month takes from the audit. */
export interface DropPlan {
  readonly month: Month;
  readonly lines: MonthLines;
  /** The seals that hold its lines. */
  readonly firstSeal: StoredSeal;
  readonly lastSeal: StoredSeal;
  /** The last seal of which no line will be left; undefined where each also holds lines that stay. */
  readonly lastGone: StoredSeal | undefined;
  /** The record of the drop before. */
  readonly before: StoredDrop | undefined;
}

export type PlannedDrop =
  | { readonly kind: 'planned'; readonly plan: DropPlan }
  /** It was signed before, and broke off: its lines may go. */
  | { readonly kind: 'signed'; readonly drop: StoredDrop }
  /** `before`: the record of the drop before. */
  | { readonly kind: 'no_lines'; readonly before: StoredDrop | undefined }
  /** So many lines at the end are not sealed yet, or were written since the drop was signed. */
  | { readonly kind: 'unsealed'; readonly count: number };

/** What the drop of a month means for the seals. */
export async function planDrop(db: Kysely<Tables>, month: Month): Promise<PlannedDrop> {
  const drops = await storedDrops(db);
  const before = drops.at(-1);
  const signed = drops.find(({ statement }) => statement?.month === month);
  const lines = await linesOfMonth(db, month);
  if (signed?.statement && (!lines || lines.lastId <= signed.statement.lastId))
    return { kind: 'signed', drop: signed };
  if (!lines) return { kind: 'no_lines', before };
  const newest = await lastSeal(db);
  const [firstHolder, lastHolder] = [await sealOfLine(db, lines.firstId), await sealOfLine(db, lines.lastId)];
  if (!newest || !firstHolder || !lastHolder || signed)
    return { kind: 'unsealed', count: Number(lines.lastId - (newest?.lastId ?? lines.firstId - 1n)) };
  const { firstLater } = lines;
  const lastGone =
    firstLater === null || firstLater > lastHolder.lastId ? lastHolder : await sealBefore(db, firstLater);
  return {
    kind: 'planned',
    plan: { month, lines, firstSeal: firstHolder, lastSeal: lastHolder, lastGone, before },
  };
}
