import { sql, type Transaction } from 'kysely';
import { recordAccesses } from '../../access/record-access.ts';
import type { Vault } from '../../encryption/vault.ts';
import { changeRows, readNow } from '../../row-macs/covered-rows.ts';
import type { Tables } from '../../tables/tables.ts';
import { letCallsLapse } from '../../verification/work/calls.ts';

/**
 * Ends sessions of these people, in every process at once; with `sid`, only those of that session at the provider, and
 * those of passkeys.
 */
export async function endSessionsOf(
  inside: { readonly db: Transaction<Tables>; readonly vault: Vault },
  staffIds: readonly string[],
  only: { readonly sid?: string } = {},
): Promise<void> {
  if (staffIds.length === 0) return;
  const { sid = null } = only;
  const now = await readNow(inside.db);
  const ended = await changeRows(inside, 'staff_session', {
    // A passkey's session rests on the provider's, whichever that was.
    is: { ended_at: null },
    where: sql<boolean>`staff_id = any (${staffIds})
      and (${sid}::text is null or provider_sid = ${sid} or way = 'passkey')`,
    set: () => ({ ended_at: now }),
  });
  for (const staffId of new Set(ended.map(({ staff_id }) => staff_id)))
    await letCallsLapse(inside.db, staffId);
  await recordAccesses(
    inside.db,
    ended.map(({ id }) => ({ caller: null, operation: 'sessions.end', subjectId: id })),
  );
}
