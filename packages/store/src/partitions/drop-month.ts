import type pg from 'pg';
import {
  type AuditDrop,
  type AuditRefusal,
  type DropSigning,
  prepareAudit,
} from '../audit/dropped/prepare-audit.ts';
import { withAudit } from '../audit/with-audit.ts';
import { type IdPrefix, issuedIdAt } from '../issued-id.ts';
import { LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import { countKeeping } from './count-keeping.ts';
import { countUnfinished, type Unfinished } from './count-unfinished.ts';
import { type Month, monthAfter, monthAt, startOf } from './month.ts';
import { AUDIT, MONTHLY_TABLES, partitionOf, REQUESTS } from './monthly-tables.ts';
import { type Partition, readPartitions } from './read-partitions.ts';
import { removeAboutRequests } from './remove-about-requests.ts';
import { removeRequests } from './remove-requests.ts';
import { withDirectClient } from './with-direct-client.ts';

export interface MonthDrop {
  readonly month: Month;
  /** Also the month's lines of the audit, which by default are kept. */
  readonly withAudit: boolean;
  /** What signs that they go; without it nothing more than a dry run. */
  readonly signing?: DropSigning | undefined;
  /** Only tell what would go. */
  readonly dryRun: boolean;
  readonly now?: number;
}

/** A table that goes, with its indexes. */
interface GoneTable {
  readonly name: string;
  readonly rowCount: number;
  readonly byteCount: number;
}

export type DroppedMonth =
  /** `told`: for a dry run; nothing was changed. */
  | {
      readonly kind: 'dropped' | 'told';
      readonly tables: readonly GoneTable[];
      /** The accounts that would have kept what goes: their retention is not over, or they have none. */
      readonly keepingCount: number;
      /** What goes of the audit; null for nothing. */
      readonly audit: AuditDrop | null;
    }
  /** No table of that month. */
  | { readonly kind: 'unknown_month'; readonly months: readonly Month[] }
  | { readonly kind: 'older_month'; readonly oldest: Month }
  /**
   * Until then a client may repeat a create of the month, and is answered with it; or requests are there that came in a
   * later month, with ids of a clock that was wrong.
   */
  | { readonly kind: 'too_early'; readonly from: Date }
  | { readonly kind: 'unfinished'; readonly unfinished: Unfinished }
  | { readonly kind: 'busy' }
  | AuditRefusal;

/** Days after a month's end: its last idempotency keys are then removed. */
const DAYS_AFTER = 3;

/** By how much clocks may differ that are not wrong. */
const SKEW_MS = 3_600_000;

/**
 * Removes the oldest month: first its requests, then everything about them, and with `withAudit` its lines of the audit.
 * Nobody waits for it: it waits itself, for every transaction that began before and may still read the month.
 * Interrupted, it goes on when it is called again.
 *
 * Only the oldest: a later month holds attempts of deliveries of the month before, made after its end.
 * @param connectionString of the role that owns the tables, not through a transaction pooler.
 */
export async function dropMonth(connectionString: string, drop: MonthDrop): Promise<DroppedMonth> {
  return withDirectClient(connectionString, async (client) => {
    await client.query('set statement_timeout = 0');
    await client.query('set lock_timeout = 0');
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      LOCKS.monthRemoval,
    ]);
    if (!rows[0]?.mine) return { kind: 'busy' };
    return withAudit(connectionString, ({ db }) => inTurn(client, db, drop));
  });
}

async function inTurn(
  client: pg.ClientBase,
  db: Store['db'],
  { month, withAudit: takesAudit, signing, dryRun, now = Date.now() }: MonthDrop,
): Promise<DroppedMonth> {
  const tables = MONTHLY_TABLES.filter(({ name }) => takesAudit || name !== AUDIT);
  const partitions = (await readPartitions(client)).filter(({ table }) =>
    tables.some(({ name }) => name === table),
  );
  const months = [...new Set(partitions.map((part) => part.month))].filter(
    (one) => one !== 'later' && one !== 'earlier',
  );
  const leaving = partitions.filter((part) => part.month === month);
  const left = await detachedOf(
    client,
    tables.map(({ name }) => partitionOf(name, month)),
    leaving,
  );
  if (leaving.length === 0 && left.length === 0) return { kind: 'unknown_month', months: months.toSorted() };
  const [oldest = month] = months.toSorted();
  if (oldest < month) return { kind: 'older_month', oldest };

  const end = monthAfter(month);
  const from = startOf(end) + DAYS_AFTER * 86_400_000;
  const isOver = leaving.every(
    ({ to, table }) => to !== null && to <= lowestOf(table, now - DAYS_AFTER * 86_400_000),
  );
  if (now < from || !isOver) return { kind: 'too_early', from: new Date(from) };
  const requestEnd = endOf(leaving, 'req') ?? issuedIdAt('req', startOf(end));
  const deliveryEnd = endOf(leaving, 'msg') ?? issuedIdAt('msg', startOf(end));
  const arrived = await lastArrival(client, requestEnd);
  if (now < arrived) return { kind: 'too_early', from: new Date(arrived) };
  const unfinished = await countUnfinished(client, requestEnd, deliveryEnd);
  if (Object.values(unfinished).some((count) => count > 0)) return { kind: 'unfinished', unfinished };

  const gone = [...leaving, ...left].map(({ name, rowCount, byteCount }) => ({ name, rowCount, byteCount }));
  const keepingCount = await countKeeping(client, requestEnd, new Date(startOf(end)));
  const audit = takesAudit ? await prepareAudit(db, { month, signing: dryRun ? undefined : signing }) : null;
  if (audit && audit.kind !== 'ready') return audit;
  if (dryRun || (takesAudit && !signing))
    return { kind: 'told', tables: gone, keepingCount, audit: audit?.told ?? null };
  await removeFrom(client, REQUESTS, partitions, month);
  await removeRequests(client, requestEnd, deliveryEnd);
  await removeAboutRequests(client, requestEnd, deliveryEnd);
  for (const { name } of tables.filter((table) => table.name !== AUDIT && table.name !== REQUESTS))
    await removeFrom(client, name, partitions, month);
  // Signed at the last moment: from here on verification expects that the lines are gone.
  const signed = await audit?.sign();
  if (takesAudit) await removeFrom(client, AUDIT, partitions, month);
  await client.query(`drop table ${gone.map(({ name }) => name).join(', ')}`);
  return { kind: 'dropped', tables: gone, keepingCount, audit: signed ?? null };
}

/** When the month in which the last of these requests came, by the database's clock, may go. */
async function lastArrival(client: pg.ClientBase, requestEnd: string): Promise<number> {
  const { rows } = await client.query<{ at: Date | null }>(
    'select max(received_at) as at from request where id < $1',
    [requestEnd],
  );
  const at = rows[0]?.at;
  return at ? startOf(monthAfter(monthAt(at.getTime() - SKEW_MS))) + DAYS_AFTER * 86_400_000 : 0;
}

const prefixOf = (table: string) => MONTHLY_TABLES.find(({ name }) => name === table)?.prefix ?? null;

const lowestOf = (table: string, ms: number) => {
  const prefix = prefixOf(table);
  return prefix === null ? new Date(ms).toISOString().replace('T', ' ') : issuedIdAt(prefix, ms);
};

/** Of the tables that are not detached yet. A first one may end later than others: it holds the ids of a wrong clock. */
const endOf = (leaving: readonly Partition[], prefix: IdPrefix) =>
  leaving
    .flatMap(({ table, to }) => (prefixOf(table) === prefix && to !== null ? [to] : []))
    .toSorted()
    .at(-1);

/** The month's tables that an interrupted removal had detached already. */
async function detachedOf(client: pg.ClientBase, names: readonly string[], leaving: readonly Partition[]) {
  const { rows } = await client.query<GoneTable>(
    `select relname as name, greatest(reltuples, 0)::float8 as "rowCount", pg_total_relation_size(oid)::float8 as "byteCount"
     from pg_class where relname = any ($1) and relnamespace = current_schema()::regnamespace`,
    [names.filter((name) => leaving.every((part) => part.name !== name))],
  );
  return rows;
}

/**
 * Detaches a table's month, and lets an empty partition take what is older: an id of a wrong clock must find a place.
 */
async function removeFrom(
  client: pg.ClientBase,
  table: string,
  partitions: readonly Partition[],
  month: Month,
): Promise<void> {
  const parts = partitions.filter((part) => part.table === table);
  const isLeaving = (part: Partition) => part.month === month || part.month === 'earlier';
  for (const part of parts.filter(isLeaving))
    await client.query(
      `alter table ${table} detach partition ${part.name} ${part.isLeaving ? 'finalize' : 'concurrently'}`,
    );
  const next = parts.find((part) => !isLeaving(part));
  if (!next?.from) return;
  const name = `${table}_earlier`;
  await client.query(`drop table if exists ${name}`);
  await client.query(
    `create table ${name} (like ${table} including defaults including constraints including storage including generated)`,
  );
  if (table === AUDIT)
    await client.query(
      `create trigger access_log_append_only before update or delete or truncate on ${name}
       for each statement execute function refuse_change()`,
    );
  await client.query(
    `alter table ${table} attach partition ${name} for values from (minvalue) to ('${next.from}')`,
  );
}
