import type { Store } from '../open-store.ts';
import { sealsAfter } from './stored-seal.ts';

/** The notes of the seals after one, in order: to be kept elsewhere. */
export async function listSealNotes(
  { db }: Pick<Store, 'db'>,
  after: number,
  limit: number,
): Promise<{ readonly number: number; readonly note: string }[]> {
  return (await sealsAfter(db, after, limit)).map(({ number, note }) => ({ number, note }));
}
