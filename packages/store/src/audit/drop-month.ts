import type pg from 'pg';
import { LOCKS } from '../locks.ts';
import {
  LOG,
  type LogPart,
  type Month,
  partOf,
  readLogParts,
  withDirectClient,
} from '../months/log-parts.ts';
import { type DroppedLines, type DropRefusal, type DropSigning, prepareDrop } from './prepare-drop.ts';
import { withAudit } from './with-audit.ts';

interface MonthDrop {
  readonly month: Month;
  /** What signs that its lines go; without it nothing goes, and what would go is returned. */
  readonly signing?: DropSigning | undefined;
}

export type DroppedMonth =
  /** `previewed`: nothing was changed. */
  | (PartSize & {
      readonly kind: 'dropped' | 'previewed';
      /** Null where the month has no line. */
      readonly lines: DroppedLines | null;
    })
  /** The log has no part of that month. */
  | { readonly kind: 'unknown_month'; readonly months: readonly Month[] }
  /** Months go in their order. */
  | { readonly kind: 'older_month'; readonly oldest: Month }
  /** Another process drops a month. */
  | { readonly kind: 'busy' }
  | DropRefusal;

type PartSize = Pick<LogPart, 'rowCount' | 'byteCount'>;

/**
 * Drops the oldest month of the log with its lines, which an archive has. It blocks no call: it waits itself, for every
 * transaction that began before and may still read the month. Interrupted, it continues when it is called again.
 * @param connectionString of the role that owns the tables, not through a transaction pooler.
 */
export async function dropMonth(
  connectionString: string,
  { month, signing }: MonthDrop,
): Promise<DroppedMonth> {
  return withDirectClient(connectionString, async (client) => {
    await client.query('set statement_timeout = 0');
    await client.query('set lock_timeout = 0');
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      LOCKS.monthRemoval,
    ]);
    if (!rows[0]?.mine) return { kind: 'busy' };
    const tables = await tablesOfMonths(client);
    const table = tables.find((one) => one.month === month);
    if (!table) return { kind: 'unknown_month', months: tables.map((one) => one.month) };
    const [oldest = table] = tables;
    if (oldest.month < month) return { kind: 'older_month', oldest: oldest.month };

    const size = { rowCount: table.rowCount, byteCount: table.byteCount };
    return withAudit(connectionString, async ({ db }): Promise<DroppedMonth> => {
      const prepared = await prepareDrop(db, { month, signing });
      if (prepared.kind !== 'ready') return prepared;
      if (!signing) return { kind: 'previewed', lines: prepared.lines, ...size };
      // Signed at the last moment: from here on verification expects that the lines are gone.
      const lines = await prepared.sign();
      await detach(client, month);
      await client.query(`drop table ${partOf(month)}`);
      return { kind: 'dropped', lines, ...size };
    });
  });
}

type MonthTable = PartSize & { readonly month: Month };

/** The months that have a table, earliest first: also one that a drop detached before it broke off. */
async function tablesOfMonths(client: pg.ClientBase): Promise<MonthTable[]> {
  const { rows } = await client.query<MonthTable>(
    `select replace(right(relname, 7), '_', '-') as month, greatest(reltuples, 0)::float8 as "rowCount",
       pg_total_relation_size(oid)::float8 as "byteCount"
     from pg_class
     where relname ~ '^${LOG}_\\d{4}_\\d\\d$' and relkind = 'r' and relnamespace = current_schema()::regnamespace
     order by relname`,
  );
  return rows;
}

/** Detaches a month's part, and lets an empty one take the ids below the next: each id finds a place still. */
async function detach(client: pg.ClientBase, month: Month): Promise<void> {
  const parts = await readLogParts(client);
  const isLeaving = (part: LogPart) => part.month === month || part.month === 'earlier';
  for (const part of parts.filter(isLeaving))
    await client.query(
      `alter table ${LOG} detach partition ${part.name} ${part.isLeaving ? 'finalize' : 'concurrently'}`,
    );
  const next = parts.find((part) => !isLeaving(part));
  const earlier = `${LOG}_earlier`;
  await client.query(`drop table if exists ${earlier}`);
  await client.query(`create table ${earlier} (like ${LOG} including defaults including constraints)`);
  await client.query(
    `create trigger access_log_append_only before update or delete or truncate on ${earlier}
     for each statement execute function refuse_change('${LOG}')`,
  );
  await client.query(
    `alter table ${LOG} attach partition ${earlier} for values from (minvalue) to ('${next?.from}')`,
  );
}
