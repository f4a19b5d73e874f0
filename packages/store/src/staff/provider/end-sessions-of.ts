import { sql, type Transaction } from 'kysely';
import { recordAccesses } from '../../access/record-access.ts';
import type { Tables } from '../../tables/tables.ts';
import { letCallsLapse } from '../../verification/work/calls/end-call.ts';

/** Ends people's sessions in every process at once, on the provider's word. */
export async function endSessionsOf(
  trx: Transaction<Tables>,
  staffIds: readonly string[],
  only: { readonly sid?: string } = {},
): Promise<void> {
  if (staffIds.length === 0) return;
  const { sid } = only;
  const ended = await trx
    .updateTable('staff_session')
    .set({ ended_at: sql<Date>`now()` })
    .where('staff_id', 'in', [...staffIds])
    .where('ended_at', 'is', null)
    // A passkey's session rests on the provider's, whichever that was.
    .$if(sid !== undefined, (all) =>
      all.where((where) => where.or([where('provider_sid', '=', sid ?? ''), where('way', '=', 'passkey')])),
    )
    .returning(['id', 'staff_id'])
    .execute();
  for (const staffId of new Set(ended.map(({ staff_id }) => staff_id))) await letCallsLapse(trx, staffId);
  await recordAccesses(
    trx,
    ended.map(({ id }) => ({ caller: null, operation: 'sessions.end', subjectId: id })),
  );
}
