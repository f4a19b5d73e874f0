import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import type { Quota } from '../tables/columns.ts';

/** A process's request to the budget it shares with others. */
export interface BudgetRequest extends Quota {
  readonly policy: string;
  /** The budget's owner: an account, a key, a client. */
  readonly subject: string;
  /** Addresses are stored as a keyed hash: a value that is only looked up need not be readable. */
  readonly isAddress: boolean;
  /** The least units to grant; if fewer are available, none are. */
  readonly need: number;
  /** The most units to grant. */
  readonly want: number;
  /** Units used beyond earlier grants, charged even if unavailable; negative: units given back. */
  readonly owed: number;
}

/** The answer to a {@link BudgetRequest}. */
export interface BudgetGrant {
  /** Units; 0 when `need` was not available. */
  readonly granted: number;
  /** Milliseconds until the whole quota is available again if nothing more is taken. */
  readonly backlogMs: number;
}

/**
 * Takes a slice of a budget: GCRA over one instant per subject, the theoretical arrival time, by the database's clock.
 * A row whose instant has passed equals a missing row, so it may be removed at any time. Debt is capped at two windows,
 * which also frees a subject whose window was reduced.
 */
export async function takeRateBudget({ db, vault }: Store, request: BudgetRequest): Promise<BudgetGrant> {
  const { policy, isAddress, quota, windowSeconds, need, want, owed } = request;
  const subject = isAddress
    ? vault.index('rate_budget.subject', request.subject).toString('base64')
    : request.subject;
  const unit = sql`(${windowSeconds}::float8 / ${quota}::float8 * interval '1 second')`;
  const window = sql`(${windowSeconds}::float8 * interval '1 second')`;
  // Plus a thousandth of a unit: instants have microsecond precision, and rounding must not lose the last of seven
  // units.
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
