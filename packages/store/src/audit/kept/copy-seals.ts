import type { Store } from '../../open-store.ts';
import type { SealKey } from '../note/keys.ts';
import { trySealingLock } from '../sealing/sealing-lock.ts';
import { holdAgainstFile, type HeldAgainstFile } from './hold-against-file.ts';
import type { SealFile } from './seal-file.ts';

/** Adds to the file what was sealed since; `busy`: another process is sealing, and the next call adds it. */
export async function copySeals(
  { db }: Pick<Store, 'db'>,
  { key, file }: { readonly key: SealKey; readonly file: SealFile },
): Promise<HeldAgainstFile | { readonly kind: 'busy' }> {
  return db
    .transaction()
    .execute(async (trx) =>
      (await trySealingLock(trx)) ? holdAgainstFile(trx, { file, keys: key.verifiers }) : { kind: 'busy' },
    );
}
