import type { Passkey } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { issueId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { hashOfCredential, type KeptCredential, sealCredential } from './kept-credential.ts';
import { toPasskey } from './passkey-view.ts';

/** The most passkeys of one person. */
export const PASSKEY_COUNT_MAX = 20;

export interface NewPasskey {
  readonly caller: Caller;
  readonly name: string;
  /** The verified credential of a registration (Web Authentication, section 7.1), with its signature counter. */
  readonly credential: KeptCredential & { readonly signCount: number };
}

export type AddedPasskey =
  | { readonly kind: 'added'; readonly passkey: Passkey }
  /** `taken`: the credential is registered already, for whomever. */
  | { readonly kind: 'taken' | 'too_many' };

/** Registers a passkey of the caller. `too_many`: the person has {@link PASSKEY_COUNT_MAX} already. */
export async function addPasskey(
  { db, vault }: Store,
  { caller, name, credential: { signCount, ...kept } }: NewPasskey,
): Promise<AddedPasskey> {
  const ref = { id: issueId('pky'), staff_id: caller.keyId };
  const linkBy = [...(caller.linkBy ?? []), ...(caller.enrolledBy ?? [])];
  const sealed = await sealCredential(vault, ref, { ...kept, ...(linkBy.length > 0 && { linkBy }) });
  return db.transaction().execute(async (trx): Promise<AddedPasskey> => {
    // Locked, so that two at once do not pass the bound together.
    await trx.selectFrom('staff').select('id').where('id', '=', caller.keyId).forUpdate().execute();
    const own = await trx.selectFrom('passkey').select('id').where('staff_id', '=', caller.keyId).execute();
    if (own.length >= PASSKEY_COUNT_MAX) return { kind: 'too_many' };
    const row = await trx
      .insertInto('passkey')
      .values({
        ...ref,
        hash: hashOfCredential(vault, kept.id),
        credential: sealed,
        sign_count: String(signCount),
        name: JSON.stringify(name),
      })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning(['id', 'name', 'created_at', 'used_at'])
      .executeTakeFirst();
    if (!row) return { kind: 'taken' };
    await recordAccess(trx, { caller, operation: 'passkeys.add', subjectId: ref.id });
    return { kind: 'added', passkey: toPasskey(row) };
  });
}
