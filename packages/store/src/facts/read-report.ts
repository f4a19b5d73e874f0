import {
  ERROR_REASONS,
  ErrorReason,
  type Report,
  type ReportRow,
  type ReportSubject,
} from '@insurance-verification/schema';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { counting, within } from '../access/reach.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { heldWithin } from '../output/held/held-encryption.ts';
import type { FactKind } from '../tables/facts.ts';
import type { Route } from '../tables/intake.ts';
import type { Tables } from '../tables/tables.ts';
import { readQueueDepths, secondsSince } from './queue-depths.ts';
import { factsOfReport, ownScope, readTimes, type ReportRange } from './read-times.ts';

/** The subject, the time and the account of a report. */
export interface ReportOptions extends ReportRange {
  readonly of: ReportSubject;
  readonly caller: Caller;
  /** For callers across accounts: one account's instead of all. */
  readonly accountId?: string | undefined;
  /** The routes that a queue is counted by. */
  readonly routes: readonly Route[];
}

type Counts = Readonly<Partial<Record<keyof ReportRow, FactKind>>>;

const REQUEST_COUNTS = {
  received_count: 'received',
  completed_count: 'completed',
  not_verified_count: 'not_verified',
  corrected_count: 'corrected',
  met_count: 'met',
  overdue_count: 'overdue',
} as const satisfies Counts;

const HELD_COUNTS = {
  held_count: 'held',
  applied_count: 'held_applied',
  dismissed_count: 'held_dismissed',
} as const satisfies Counts;

/** A report; `not_found` for an account out of the caller's reach. */
export async function readReport(
  store: Store,
  options: ReportOptions,
): Promise<
  ({ readonly kind: 'reported' } & Pick<Report, 'counted_until' | 'items'>) | { readonly kind: 'not_found' }
> {
  const scope = await scopeOf(store.db, options);
  if (scope === undefined) return { kind: 'not_found' };
  if (options.of === 'queue') return { kind: 'reported', ...(await readQueue(store, scope, options.routes)) };
  const counted_until = await countedUntil(store.db);
  return { kind: 'reported', counted_until, items: await readRows(store.db, options.of, scope, options) };
}

async function readRows(
  db: Kysely<Tables>,
  of: Exclude<ReportSubject, 'queue'>,
  scope: string,
  options: ReportOptions,
): Promise<ReportRow[]> {
  switch (of) {
    case 'requests':
      return readSteps(db, REQUEST_COUNTS, scope, options);
    case 'held':
      return [...(await readHeldNow(db, options)), ...(await readSteps(db, HELD_COUNTS, scope, options))];
    case 'failure_reasons':
      return readReasons(db, 'not_verified', scope, options);
    case 'delivery_reasons':
      return readReasons(db, 'sent', scope, options);
    default:
      return readTimes(db, of, scope, options);
  }
}

/** The facts' `account_id` for a report; undefined for an account out of reach. */
export async function scopeOf(
  db: Kysely<Tables>,
  { caller, accountId }: Pick<ReportOptions, 'caller' | 'accountId'>,
): Promise<string | undefined> {
  if (accountId === undefined) return ownScope(caller);
  if (!isIssuedId('acct', accountId) && accountId !== caller.accountId) return undefined;
  const { rows } = await sql`
    select from account where id = ${accountId} and ${within(caller, 'account.id')}`.execute(db);
  return rows.length === 1 ? accountId : undefined;
}

/** Until when everything is in the figures. */
async function countedUntil(db: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select nullif(counted_until, '-infinity') as until from fact_progress`.execute(db);
  return rows[0]?.until?.toISOString() ?? null;
}

/** How often each kind happened: every step, also those without any. */
async function readSteps(
  db: Kysely<Tables>,
  counts: Counts,
  scope: string,
  range: ReportRange,
): Promise<ReportRow[]> {
  const { from, until, step, zone } = range;
  const columns = Object.entries(counts).map(
    ([name, kind]) =>
      sql`coalesce(sum(count) filter (where kind = ${sql.lit(kind)}), 0)::int as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Omit<ReportRow, 'at'> & { at: Date }>`
    with fact as (${factsOfReport(scope, Object.values(counts), range)}
    ), step as (
      select distinct date_trunc(${step}, hour, ${zone}) as at
      from generate_series(${from}::timestamptz, ${until}::timestamptz - interval '1 hour', interval '1 hour') as hour
    )
    select step.at, ${sql.join(columns)}
    from step left join fact on fact.at = step.at group by step.at order by step.at`.execute(db);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** How often each reason was given, the most frequent first. Webhook attempts end in classes, not in error reasons. */
async function readReasons(
  db: Kysely<Tables>,
  kind: FactKind,
  scope: string,
  range: ReportRange,
): Promise<ReportRow[]> {
  const { rows } = await sql<{ reason: string; count: number }>`
    select reason, sum(count)::int as count from (${factsOfReport(scope, [kind], range)}) as fact
    group by reason order by count desc, reason`.execute(db);
  return rows.map(({ reason, count }) => {
    const { data: known } = ErrorReason.safeParse(reason);
    const fixedBy = known === undefined ? null : ERROR_REASONS[known].fixedBy;
    return { at: null, reason: reason === '' ? null : reason, fixed_by: fixedBy, count };
  });
}

/**
 * Counts the held outputs by reason: at most as many rows as the capacity for held outputs allows. Outputs of no
 * known request belong to no account: only a report of all accounts has them.
 */
async function readHeldNow(
  db: Kysely<Tables>,
  { caller, accountId }: Pick<ReportOptions, 'caller' | 'accountId'>,
): Promise<ReportRow[]> {
  const ofAccount =
    accountId === undefined
      ? sql`true`
      : sql`exists (select from request where request.id = held_output.request_id and request.account_id = ${accountId})`;
  const { rows } = await sql<Omit<ReportRow, 'at'>>`
    select reason, count(*)::int as open_count, ${secondsSince(sql`min(received_at)`)} as oldest_seconds
    from held_output where status = 'held' and ${heldWithin(accountId === undefined ? counting(caller) : caller)} and ${ofAccount}
    group by reason order by reason`.execute(db);
  return rows.map((row) => ({ at: null, ...row }));
}

/** Counts the waiting requests by payer and channel. */
async function readQueue(
  store: Store,
  scope: string,
  routes: readonly Route[],
): Promise<Pick<Report, 'counted_until' | 'items'>> {
  const { countedAt, depths } = await readQueueDepths(store, { queue: 'work', routes, scope });
  return {
    counted_until: countedAt.toISOString(),
    items: depths
      .map(({ payer_id, channel, waiting_count, leased_count, oldest_seconds }) => ({
        at: null,
        payer_id,
        channel: channel === 'entry' ? null : channel,
        waiting_count,
        leased_count,
        oldest_seconds,
      }))
      .toSorted((one, other) =>
        `${one.payer_id} ${one.channel ?? ''}`.localeCompare(`${other.payer_id} ${other.channel ?? ''}`),
      ),
  };
}
