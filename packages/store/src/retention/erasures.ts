import type { Erasure, ErasureCertificate, ErasureList, ListedErasure } from '@insurance-verification/schema';
import { type Selectable, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { accountNameOf } from '../access/list-accounts.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { subjectNameOf } from '../access/subject-name.ts';
import { CONFIRMABLE_DAYS, isOnlyPerson, whyNotSecond } from '../access/two-people.ts';
import type { Vault } from '../encryption/vault.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { PageOptions } from '../page.ts';
import { type Covered, coveredOf } from '../row-macs/covered-columns.ts';
import { findRow, rightRows } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';

/** Until when it can be confirmed. A column of a query on `erasure`. */
const lapsesAt = sql<Date>`(erasure.asked_at + make_interval(days => ${sql.lit(CONFIRMABLE_DAYS)}))`;

/** After so many wrong endings it has to be asked for again: four characters are guessed in some thousand tries. */
const WRONG_COUNT_MAX = 5;

/** It is done, or can be confirmed. */
export const isStanding = sql<boolean>`(erasure.erased_at is not null
  or (${lapsesAt} > now() and erasure.wrong_count < ${sql.lit(WRONG_COUNT_MAX)}))`;

/**
 * Who asked and when, by the line of the audit, in the row's words; null once its month was dropped, long after it
 * could be confirmed.
 */
const askingLine = sql<Asking | null>`(
  select pg_catalog.jsonb_build_object('by', key_id, 'ms', extract(epoch from at) * 1000)
  from access_log line
  where line.request_id = erasure.request_id and line.operation = 'requests.erase' and line.outcome = 'done'
    and line.subject_id = erasure.id and line.details is not null
  order by line.id limit 1)`;

interface Asking {
  readonly by: string;
  readonly ms: number;
}

/** The line of the audit that has the certificate; null once its month was dropped. */
const certificateLine = sql<string | null>`(
  select details from access_log line
  where line.request_id = erasure.request_id and line.operation = 'erasures.confirm' and line.outcome = 'done'
  order by line.id limit 1)`;

/** Erasures with all that the API shows of them. */
export function selectErasures(db: Store['db']) {
  return db
    .selectFrom('erasure')
    .innerJoin('request', 'request.id', 'erasure.request_id')
    .selectAll('erasure')
    .select(accountNameOf('request.account_id').as('account_name'))
    .select(subjectNameOf('erasure.asked_by').as('asked_by_name'))
    .select(subjectNameOf('erasure.confirmed_by').as('confirmed_by_name'))
    .select(['request.account_id', lapsesAt.as('lapses_at'), certificateLine.as('line')])
    .select([coveredOf('erasure').as('covered'), askingLine.as('asking')]);
}

/**
 * Erasures in the API's form, without those whose row is not as the service wrote it: its MAC is wrong, or the audit has
 * another asker or none. Such a row is reported and counts as absent.
 */
export function openErasures({ macs }: Pick<Vault, 'macs'>, rows: readonly ErasureRow[]): Erasure[] {
  return rightRows(macs, 'erasure', rows)
    .filter((row) => {
      const { id, asking, asked_by: by, asked_at: at, erased_at: erasedAt } = row;
      const isOnRecord = asking
        ? asking.by === by && Math.abs(asking.ms - at.getTime()) <= 1
        : erasedAt !== null;
      if (!isOnRecord) macs.report({ table: 'erasure', id });
      return isOnRecord;
    })
    .map(toErasure);
}

type ErasureRow = Selectable<Tables['erasure']> & {
  readonly account_id: string;
  /** JSON strings. */
  readonly account_name: string;
  readonly asked_by_name: string | null;
  readonly confirmed_by_name: string | null;
  readonly lapses_at: Date;
  readonly line: string | null;
  readonly covered: Covered;
  readonly asking: Asking | null;
};

function toErasure(row: ErasureRow): Erasure {
  return {
    erasure_id: row.id,
    request_id: row.request_id,
    account_id: row.account_id,
    account_name: JSON.parse(row.account_name) as string,
    reason: row.reason,
    asked_by: row.asked_by,
    asked_by_name: JSON.parse(row.asked_by_name ?? 'null') as string | null,
    asked_at: row.asked_at.toISOString(),
    lapses_at: row.erased_at ? null : row.lapses_at.toISOString(),
    confirmed_by: row.confirmed_by,
    confirmed_by_name: JSON.parse(row.confirmed_by_name ?? 'null') as string | null,
    erased_at: row.erased_at?.toISOString() ?? null,
    certificate: row.erased_at && row.line !== null ? certificateIn(row.line) : null,
  };
}

const certificateIn = (details: string) =>
  (JSON.parse(details) as { readonly certificate: ErasureCertificate }).certificate;

/**
 * The erasures that were asked for and can be confirmed, and those that are done, newest first. One whose request lost its
 * data at the end of the retention no longer waits.
 */
export async function listErasures(
  store: Store,
  { caller, limit, cursor }: PageOptions & { readonly caller: Caller },
): Promise<ErasureList> {
  const { db, vault } = store;
  const rows = await selectErasures(db)
    .select('request.erased_at as request_erased_at')
    .where(within(caller, 'request.account_id'))
    .where(isStanding)
    .$if(cursor !== undefined, (all) => all.where('erasure.id', '<', cursor ?? ''))
    .orderBy('erasure.id', 'desc')
    .limit(limit + 1)
    .execute();
  await recordAccess(db, { caller, operation: 'erasures.list' });
  const page = rows.slice(0, limit);
  const erasedAt = new Map(page.map(({ id, request_erased_at: at }) => [id, at?.toISOString() ?? null]));
  const items: ListedErasure[] = [];
  for (const erasure of openErasures(vault, page)) {
    const erased_at = erasure.erased_at ?? erasedAt.get(erasure.erasure_id) ?? null;
    const lapses_at = erased_at === null ? erasure.lapses_at : null;
    const may_confirm = erased_at === null && (await mayConfirm(store, caller, erasure));
    items.push({ ...erasure, erased_at, lapses_at, may_confirm });
  }
  return {
    items,
    next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** As the confirmation decides it: few wait at a time. */
async function mayConfirm(store: Store, caller: Caller, { erasure_id: id }: Erasure): Promise<boolean> {
  if (!isIssuedId('stf', caller.keyId)) return false;
  if (await isOnlyPerson(store, caller)) return true;
  const asker = await findRow(store, 'erasure', { is: { id } });
  return asker !== undefined && (await whyNotSecond(store, asker, caller)) === null;
}
