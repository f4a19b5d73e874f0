import type { Store } from '../../open-store.ts';
import { sealsAfter } from './stored-seal.ts';

/** A signed note: of a seal, or of lines that were dropped. */
export type SealNote =
  | { readonly seal: number; readonly note: string }
  | { readonly drop: number; readonly note: string };

/**
 * The notes of the next seals after one, in order, to be kept elsewhere: each with the drops that were signed before it,
 * and after the seal before it. So whoever goes on from the last seal gets each drop once.
 */
export async function listSealNotes(
  { db }: Pick<Store, 'db'>,
  after: number,
  limit: number,
): Promise<SealNote[]> {
  const seals = await sealsAfter(db, after, limit);
  const drops = await db
    .selectFrom('audit_drop')
    .select(['number', 'seal_number', 'note'])
    .where('seal_number', '>=', String(after))
    .orderBy('number')
    .execute();
  return seals.flatMap(({ number, note }) => [
    ...drops
      .filter((drop) => Number(drop.seal_number) === number - 1)
      .map((drop) => ({ drop: Number(drop.number), note: drop.note })),
    { seal: number, note },
  ]);
}
