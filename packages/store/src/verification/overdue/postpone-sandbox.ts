import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { lockLease, type WorkLease } from '../work/lock-lease.ts';

export interface Postponement extends WorkLease {
  /** Seconds; `never`: for good; `test_verifiers`: hands it to those and no longer to the sandbox. */
  readonly until: number | 'never' | 'test_verifiers';
}

export interface PostponedWork {
  readonly kind: 'postponed' | 'not_found' | 'lease_lost' | 'erased';
}

/** Returns a sandbox request as if it had not been claimed: the sandbox only checked it. */
export async function postponeSandbox({ db }: Store, { until, ...of }: Postponement): Promise<PostponedWork> {
  return db.transaction().execute(async (trx): Promise<PostponedWork> => {
    const lease = await lockLease(trx, of);
    if (lease.kind !== 'held') return lease;
    const { request } = lease;
    await trx
      .deleteFrom('verification_attempt')
      .where('request_id', '=', request.id)
      .where('ended_at', 'is', null)
      .execute();
    await sql`
      update work_queue set lease = null, leased_at = null, leased_until = null, channel = 'entry', channel_until = null,
        attempt_count = 0, postponed = ${until !== 'test_verifiers'}, pool = ${until === 'test_verifiers' ? 'test' : 'sandbox'},
        waits_since = now() + case when ${until === 'never'} then interval '100 years'
          else make_interval(secs => ${typeof until === 'number' ? until : 0}::float8) end
      where request_id = ${request.id} and pool <> 'live'`.execute(trx);
    return { kind: 'postponed' };
  });
}
