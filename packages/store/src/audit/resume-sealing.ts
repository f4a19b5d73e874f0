import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import { checkNote, type SealFault } from './check-seal.ts';
import { findLostErasures, type KeptErasure } from './erasure-file.ts';
import { type Difference, compareWithFile, lastKeptSeal } from './hold-against-file.ts';
import type { SealKey } from './keys.ts';
import { signNote } from './note-text.ts';
import { type ResumeStatement, resumeText } from './resume-text.ts';
import type { SealFile } from './seal-file.ts';
import { hashOfNote, lastSeal, waitForSealingLock } from './stored-seal.ts';

interface Resumption {
  readonly key: SealKey;
  readonly file: SealFile;
  /** One line each; see `isDropper` and `isResumeReason`. */
  readonly by: string;
  readonly reason: string;
}

type Resumed =
  | {
      readonly kind: 'resumed';
      readonly statement: ResumeStatement;
      readonly difference: Difference;
      /** Erasures that the database has lost: the data of their requests is there again. */
      readonly lostErasures: readonly KeptErasure[];
    }
  /** The database has what the file has. */
  | { readonly kind: 'same' }
  /** The newest seal of the database was not signed by a key: sealing cannot continue from it. */
  | { readonly kind: 'unsigned'; readonly number: number; readonly fault: SealFault };

/**
 * Lets sealing continue after the newest seal of a restored database, although the file has others: a signed record in the
 * file gives those up. A line of the audit records it, which the next seal holds.
 */
export async function resumeSealing(
  { db }: Pick<Store, 'db'>,
  { key, file, by, reason }: Resumption,
): Promise<Resumed> {
  return db.transaction().execute(async (trx): Promise<Resumed> => {
    await waitForSealingLock(trx);
    const held = await compareWithFile(trx, { file, keys: key.verifiers });
    if (held.kind === 'held') return { kind: 'same' };
    const newest = await lastSeal(trx);
    const bad = newest && checkNote(newest, newest.number, key.verifiers);
    if (newest && bad) return { kind: 'unsigned', number: newest.number, fault: bad.fault };
    const statement: ResumeStatement = {
      origin: newest?.statement?.origin ?? key.verifier.name,
      number: newest?.number ?? 0,
      previous: newest ? hashOfNote(newest.note) : null,
      givenUp: await lastKeptSeal(file),
      at: new Date(),
      by,
      reason,
    };
    const lostErasures = await findLostErasures({ db: trx }, file.erasures);
    await recordAccess(trx, { caller: null, operation: 'audit.resume' });
    // Last: if the commit fails after it, the same command does it again.
    await file.append([{ resume: statement.number, note: signNote(resumeText(statement), key) }]);
    const { fault, of, number } =
      held.kind === 'differs' ? held : { fault: 'absent' as const, of: 'seal' as const, number: held.number };
    return { kind: 'resumed', statement, difference: { fault, of, number }, lostErasures };
  });
}
