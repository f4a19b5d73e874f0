import { type Kysely, type Selectable, sql } from 'kysely';
import { type Reach, within, withinPayers } from '../access/reach.ts';
import { prepared } from '../functions/prepared-call.ts';
import type { QueueName } from '../tables/route.ts';
import type { Tables } from '../tables/tables.ts';
import { readNamedRequestsFunction } from './read-named-requests.sql.ts';

export interface NamedRequestRow extends Pick<
  Selectable<Tables['request']>,
  'id' | 'account_id' | 'payer_id' | 'input' | 'received_at' | 'version'
> {
  /** Null once it is finished, as is its lease. */
  readonly channel: QueueName | null;
  readonly lease: string | null;
  /** Of its latest attempt; null without any. */
  readonly attempt_number: number | null;
  /** The current result's digest; null before the first. */
  readonly standing_digest: Buffer | null;
}

/** A request id in issued form, and the reach of the caller who names it. */
export interface NamedRequest {
  readonly requestId: string;
  readonly reach: Reach;
}

/**
 * Reads requests without a lock. Undefined for null, and for a request that does not exist, is out of reach, or
 * was erased. One query per distinct reach: all callers share one, except verifiers of test accounts, and those who are kept to something.
 */
export async function readNamedRequests(
  db: Kysely<Tables>,
  named: readonly (NamedRequest | null)[],
): Promise<(NamedRequestRow | undefined)[]> {
  const byReach = Map.groupBy(
    named.filter((one) => one !== null),
    ({ reach }) =>
      JSON.stringify([reach.mode, reach.acrossAccounts ? '' : reach.accountId, reach.verifyWithin]),
  );
  const found = new Map<NamedRequest, NamedRequestRow>();
  for (const group of byReach.values()) {
    const [first] = group;
    if (!first) continue;
    const ids = group.map(({ requestId }) => requestId);
    const { rows } = await sql<NamedRequestRow>`
      select * from ${sql.raw(readNamedRequestsFunction.name)}(${ids}) as request
      where ${within(first.reach, 'request.account_id')}
        and ${withinPayers(first.reach, 'request.payer_id')} ${prepared}`.execute(db);
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const one of group) {
      const row = byId.get(one.requestId);
      if (row) found.set(one, row);
    }
  }
  return named.map((one) => (one ? found.get(one) : undefined));
}
