import { type Kysely, sql } from 'kysely';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { keepingHolds } from './holds/standing-holds.ts';
import {
  latePastRetention,
  nextPastRetention,
  type PastRetention,
  retentionStart,
} from './past-retention.ts';

/** An account whose retention is over for some request. */
export interface DueAccount extends PastRetention {
  /** Since when its data could have been erased, at most. */
  readonly dueSince: Date;
}

interface DueRow {
  readonly place: number;
  readonly due_since: Date;
}

/** A condition on `account`; holds are read besides. */
export const isErasing = sql<boolean>`(retention_days is not null and (erases_from is null or erases_from <= now()))`;

/**
 * The accounts with something to erase, in the order of their ids. Each account with a retention costs a few probes of
 * indexes; the others none.
 * @param range.after only accounts behind this one.
 * @param range.limit of the answer.
 */
export async function dueAccounts(
  inside: Pick<Store, 'db' | 'vault'>,
  { after = '', limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<DueAccount[]> {
  const { db } = inside;
  const holds = await keepingHolds(inside, { requestIds: [] });
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'retention_days', 'erased_through', sql<Date>`now()`.as('now')])
    .where(isErasing)
    .where('id', '>', after)
    .where(sql<boolean>`id <> all (${holds.map(({ accountId }) => accountId)})`)
    .orderBy('id')
    .execute();
  const asked = accounts.map((row) => ({
    accountId: row.id,
    through: row.erased_through,
    endedBefore: retentionStart(row.now, row.retention_days ?? 0),
    days: row.retention_days ?? 0,
  }));
  const due: DueAccount[] = [];
  for (let from = 0; from < asked.length && due.length < limit; from += PROBE_COUNT)
    due.push(...(await probe(db, asked.slice(from, from + PROBE_COUNT), limit - due.length)));
  return due;
}

/** Accounts that one statement looks at. */
const PROBE_COUNT = 50;

async function probe(
  db: Kysely<Tables>,
  asked: readonly (PastRetention & { readonly days: number })[],
  limit: number,
): Promise<DueAccount[]> {
  const probes = asked.map(
    (account, place) => sql`
    select ${sql.lit(place)}::int as place, min(since) + ${account.days} * interval '1 day' as due_since from (
      (select received_at as since from request where id = (${nextPastRetention(account, 1)}))
      union all
      (select since from erasure_later where request_id = (${latePastRetention(account, 1)})
        and account_id = ${account.accountId})
    ) as oldest`,
  );
  const { rows } = await sql<DueRow>`
    select * from (${sql.join(probes, sql` union all `)}) as probed
    where due_since is not null order by place limit ${limit}`.execute(db);
  return rows.flatMap(({ place, due_since: dueSince }) => {
    const account = asked[place];
    return account ? [{ ...account, dueSince }] : [];
  });
}
