import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import type { Quota } from './quota.ts';

/** What a process asks of the budget that it shares with the others. */
export interface BudgetRequest extends Quota {
  readonly policy: string;
  /** Whose budget: an account, a key, a client. */
  readonly subject: string;
  /** Addresses are kept as a keyed hash: what is looked up need not be read. */
  readonly isAddress: boolean;
  /** Units to be had at least; fewer are not given. */
  readonly need: number;
  /** Units to be had at most. */
  readonly want: number;
  /** Units used beyond what was given before, taken whatever is there; negative: units given back. */
  readonly owed: number;
}

/** What it gets. */
export interface BudgetGrant {
  /** Units; 0 when `need` was not there. */
  readonly granted: number;
  /** Milliseconds until the whole quota is there again, when nothing more is taken. */
  readonly backlogMs: number;
}

/**
 * Takes a slice of a budget: GCRA over one instant per subject, the theoretical arrival time, by the database's clock.
 * A row whose instant has passed says what no row says, so it may be removed at any time. What is owed counts for two
 * windows at most, which also frees whoever was given a smaller window.
 */
export async function takeRateBudget({ db, vault }: Store, request: BudgetRequest): Promise<BudgetGrant> {
  const { policy, isAddress, quota, windowSeconds, need, want, owed } = request;
  const subject = isAddress
    ? vault.index('rate_budget.subject', request.subject).toString('base64')
    : request.subject;
  const unit = sql`(${windowSeconds}::float8 / ${quota}::float8 * interval '1 second')`;
  const window = sql`(${windowSeconds}::float8 * interval '1 second')`;
  // A thousandth of a unit more: instants are kept to the microsecond, and the last unit of seven must not be lost to it.
  const taken = (tat: ReturnType<typeof sql>) => sql`
    select base + granted * ${unit} as tat, granted from (
      select base, case when room >= ${need} then least(room, ${want}) else 0 end::integer as granted from (
        select base, floor(
          extract(epoch from now() + ${window} - base)::float8 * ${quota} / ${windowSeconds} + 0.001
        ) as room from (
          select greatest(least(${tat}, now() + 2 * ${window}) + ${owed}::float8 * ${unit}, now()) as base
        ) as settled
      ) as measured
    ) as decided`;
  const { rows } = await sql<{ granted: number; backlog_ms: number }>`
    insert into rate_budget as budget (policy, subject, tat, granted)
      select ${policy}, ${subject}, tat, granted from (${taken(sql`now()`)}) as fresh
    on conflict (policy, subject) do update set (tat, granted) = (${taken(sql`budget.tat`)})
    returning granted, (extract(epoch from tat - now()) * 1000)::float8 as backlog_ms`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A budget answered nothing.');
  return { granted: row.granted, backlogMs: Math.max(0, row.backlog_ms) };
}
