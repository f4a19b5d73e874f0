import { type DoneWork, initialsOf } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { withinOrWorked } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { openOrNull } from '../encryption/open-or-null.ts';
import { openRequestInfo } from '../intake/request-row.ts';
import type { Store } from '../open-store.ts';

/** More than anyone does by hand in a day. */
const COUNT_MAX = 300;

interface DoneRow extends Omit<DoneWork, 'request_id' | 'payer' | 'patient_initials' | 'ended_at'> {
  id: string;
  account_id: string;
  payer_name: string;
  input: Buffer;
  ended_at: Date;
}

/**
 * What the caller did by hand since a time, a day ago at the earliest, the latest first: as long as it may open them.
 * Without requests whose data is gone.
 */
export async function listOwnDone(
  { db, vault }: Store,
  { caller, since }: { readonly caller: Caller; readonly since: Date | undefined },
): Promise<DoneWork[]> {
  const { rows } = await sql<DoneRow>`
    select request.id, request.account_id, request.payer_name, request.input, done.channel, done.ended_at, done.outcome,
      done.error_reason, done.result_version, (
        select status from delivery where delivery.request_id = request.id and delivery.version = done.result_version
        order by delivery.id desc limit 1) as delivery
    from verification_attempt as done join request on request.id = done.request_id
    where done.key_id = ${caller.keyId} and done.channel in ('manual_web_portal', 'manual_phone_call')
      and done.ended_at >= greatest(${since ?? null}::timestamptz, now() - interval '1 day')
      and done.outcome in ('succeeded', 'failed') and request.erased_at is null and ${withinOrWorked(caller)}
    order by done.ended_at desc, request.id desc limit ${COUNT_MAX}`.execute(db);
  await recordAccess(db, {
    caller,
    operation: 'work.done',
    requestIds: [...new Set(rows.map(({ id }) => id))],
  });
  return Promise.all(
    rows.map(async ({ id, account_id, payer_name, input, ended_at, ...done }) => {
      const info = await openOrNull(openRequestInfo(vault, { id, account_id, input }));
      return {
        ...done,
        request_id: id,
        payer: payer_name,
        patient_initials: initialsOf(info?.patient_info.name),
        ended_at: ended_at.toISOString(),
      };
    }),
  );
}
