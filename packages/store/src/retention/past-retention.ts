import { type RawBuilder, sql } from 'kysely';
import { FINISHED } from '../intake/read-request.ts';
import { issuedIdAt } from '../issued-id.ts';

const DAY_MS = 86_400_000;

/** Which of an account's requests are looked at: those that came in before the retention began. */
export interface PastRetention {
  readonly accountId: string;
  /** Behind this id; null from the first. */
  readonly through: string | null;
  /** The start of the retention: what was finished before is erased. */
  readonly endedBefore: Date;
}

/** The start of a retention of so many days. */
export const retentionStart = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/**
 * Selects the ids of the next requests behind `through`, the oldest first, unfinished ones too. One walk of an index for
 * each state, as in `pageOfIds`, so that no request up to `through`, nor of another account, is read: an index on `done_at`
 * would make every successful delivery a non-HOT update.
 */
export function nextPastRetention(
  { accountId, through, endedBefore }: PastRetention,
  count: number,
): RawBuilder<{ id: string }> {
  const end = issuedIdAt('req', endedBefore.getTime());
  const between = (column: string) => sql`account_id between ${accountId} and ${accountId}
    and ${sql.ref(column)} > ${through ?? ''} and ${sql.ref(column)} < ${end}`;
  const walks = FINISHED.map(
    ({ outcome, undelivered }) => sql`
      (select id from request where ${between('id')}
        and outcome = ${sql.lit(outcome)} and undelivered = ${sql.lit(undelivered)}
      order by account_id desc, id limit ${count})`,
  );
  const unfinished = sql`
      (select request_id as id from work_queue where ${between('request_id')}
      order by account_id, request_id limit ${count})`;
  return sql`select id from (${sql.join([...walks, unfinished], sql` union all `)}) as next
    order by id limit ${count}`;
}

/** Selects requests that were passed by, and are old enough by now, the oldest first. */
export function latePastRetention(
  { accountId, endedBefore }: Omit<PastRetention, 'through'>,
  count: number,
): RawBuilder<{ id: string }> {
  return sql`select request_id as id from erasure_later
    where account_id = ${accountId} and since < ${endedBefore} order by since limit ${count}`;
}
