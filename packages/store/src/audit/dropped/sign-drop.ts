import type { Kysely } from 'kysely';
import { recordAccess } from '../../access/record-access.ts';
import type { Tables } from '../../tables/tables.ts';
import type { SealKey } from '../note/keys.ts';
import { type DropStatement, dropText } from '../note/note-text.ts';
import { signNote } from '../note/signed-note.ts';
import { waitForSealingLock } from '../sealing/sealing-lock.ts';
import { lastSeal } from '../sealing/stored-seal.ts';
import { storedDrops } from './stored-drop.ts';

/** A signed record of dropped lines. */
export interface SignedDrop {
  readonly statement: DropStatement;
  readonly note: string;
}

interface Signing {
  /** All but its number, the time and who. */
  readonly statement: Omit<DropStatement, 'number' | 'at' | 'by'>;
  readonly key: SealKey;
  readonly by: string;
}

/**
 * Signs off that lines go. From here on verification takes their absence for what it is, and says so where they are
 * still there. A line of the audit records it too, which the next seal holds.
 */
export async function signDrop(
  db: Kysely<Tables>,
  { statement: stated, key, by }: Signing,
): Promise<SignedDrop> {
  return db.transaction().execute(async (trx) => {
    // Nothing is sealed meanwhile, so that the record has its place among the seals.
    await waitForSealingLock(trx);
    const newest = await lastSeal(trx);
    const number = ((await storedDrops(trx)).at(-1)?.number ?? 0) + 1;
    const statement = { ...stated, number, at: new Date(), by };
    const note = signNote(dropText(statement), key);
    await trx
      .insertInto('audit_drop')
      .values({ number: String(number), seal_number: String(newest?.number ?? 0), note })
      .execute();
    await recordAccess(trx, { caller: null, operation: 'audit.drop' });
    return { statement, note };
  });
}
