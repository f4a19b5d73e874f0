import type { Kysely, Selectable } from 'kysely';
import { type Reach, within } from '../access/reach.ts';
import type { Tables } from '../tables.ts';

const columns = [
  'id',
  'account_id',
  'payer_id',
  'input',
  'received_at',
  'version',
  'channel',
  'verification_attempt_count',
  'lease_token',
] as const;

export interface NamedRequestRow extends Pick<Selectable<Tables['request']>, (typeof columns)[number]> {
  /** Of the result that stands; null before the first. */
  readonly standing_digest: Buffer | null;
}

/** A request in issued form, and how far who names it reaches. */
export interface NamedRequest {
  readonly requestId: string;
  readonly reach: Reach;
}

/**
 * Requests as they are now, unlocked. Undefined for one that is not there or is out of reach, and for null. All who
 * reach as far are read for together: but for verifiers of test accounts that is everyone.
 */
export async function readNamedRequests(
  db: Kysely<Tables>,
  named: readonly (NamedRequest | null)[],
): Promise<(NamedRequestRow | undefined)[]> {
  const byReach = Map.groupBy(
    named.filter((one) => one !== null),
    ({ reach }) => `${reach.mode} ${reach.acrossAccounts ? '' : reach.accountId}`,
  );
  const found = new Map<NamedRequest, NamedRequestRow>();
  for (const group of byReach.values()) {
    const [first] = group;
    if (!first) continue;
    const ids = group.map(({ requestId }) => requestId);
    const rows = await db
      .selectFrom('request')
      .leftJoin('result', (join) =>
        join.onRef('result.request_id', '=', 'request.id').onRef('result.version', '=', 'request.version'),
      )
      .select(columns.map((column) => `request.${column}` as const))
      .select('result.digest as standing_digest')
      .where('request.id', '=', (any) => any.fn.any(any.val(ids)))
      .where(within(first.reach, 'request.account_id'))
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const one of group) {
      const row = byId.get(one.requestId);
      if (row) found.set(one, row);
    }
  }
  return named.map((one) => (one ? found.get(one) : undefined));
}
