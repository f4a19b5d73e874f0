import type { ReportStep } from '@insurance-verification/schema';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { FactKind } from '../../tables/fact-kind.ts';
import type { Tables } from '../../tables/tables.ts';
import { factsWithin } from './facts-within.ts';
import { ownScope } from './scope.ts';

/** Whose facts to report. */
export interface ReportScope {
  readonly caller: Caller;
  /** For callers across accounts: one account's instead of all. */
  readonly accountId?: string | undefined;
}

/** What to report. Both times are on the hour. */
export interface ReportOptions extends ReportScope {
  readonly from: Date;
  readonly until: Date;
  readonly step: ReportStep;
  /** An IANA name that the caller has checked. */
  readonly zone: string;
}

/** The facts' `account_id` for a report; undefined for an account out of reach. */
export async function scopeOfReport(
  db: Kysely<Tables>,
  { caller, accountId }: ReportScope,
): Promise<string | undefined> {
  if (accountId === undefined) return ownScope(caller);
  if (!isIssuedId('acct', accountId) && accountId !== caller.accountId) return undefined;
  const { rows } = await sql`
    select from account where id = ${accountId} and ${within(caller, 'account.id')}`.execute(db);
  return rows.length === 1 ? accountId : undefined;
}

/** Facts of the report's time, with `at`, the begin of the step that each hour is in. */
export function factsOfReport(
  scope: string,
  kinds: readonly FactKind[],
  { from, until, step, zone }: ReportOptions,
): RawBuilder<unknown> {
  const facts = factsWithin({
    scope,
    kinds,
    from: sql<Date>`${from}::timestamptz`,
    until: sql<Date>`${until}::timestamptz`,
  });
  return sql`select date_trunc(${step}, hour, ${zone}) as at, facts.* from (${facts}) as facts`;
}

/** `at`, the begin of each step of the report, however little happened in it. */
export function stepsOfReport({ from, until, step, zone }: ReportOptions): RawBuilder<unknown> {
  return sql`
    select distinct date_trunc(${step}, hour, ${zone}) as at
    from generate_series(${from}::timestamptz, ${until}::timestamptz - interval '1 hour', interval '1 hour') as hour`;
}

/** Until when everything is in the figures. */
export async function countedUntil(db: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select nullif(counted_until, '-infinity') as until from fact_progress`.execute(db);
  return rows[0]?.until?.toISOString() ?? null;
}
