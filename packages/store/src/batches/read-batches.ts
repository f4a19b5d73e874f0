import {
  type Batch,
  type BatchMode,
  type BatchOutcome,
  type BatchRowError,
  type BatchState,
  type InsurancePlanData,
  type RequestInfo,
  type ValidationError,
} from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { subjectNameOf } from '../access/subject-name.ts';
import { ofDay, type StoredBenefits } from '../evidence/stored-benefits.ts';
import {
  openErrorReason,
  openRequestInfo,
  openServiceDate,
  type RequestModelRow,
} from '../intake/read-request.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { StoredFinding } from '../output/apply-findings.ts';
import { type Page, type PageOptions, readPage } from '../page.ts';
import { downtimeAt, isAsked, type Route } from '../tables/intake.ts';
import { referencePlace } from './receive-batch.ts';

interface BatchOf {
  readonly caller: Caller;
  readonly batchId: string;
}

interface WithRoutes {
  /** Of the payers, by which rows wait for one that does not answer. */
  readonly routes?: readonly Route[];
}

/** A batch with where its accepted rows are; the others wait. */
interface BatchRow {
  readonly id: string;
  readonly label: string | null;
  readonly mode: BatchMode;
  readonly received_at: Date;
  readonly is_receiving: boolean;
  readonly completed_at: Date | null;
  readonly canceled_at: Date | null;
  readonly canceled_by: string | null;
  /** A JSON string. */
  readonly canceled_by_name: string | null;
  readonly ended_at: Date | null;
  readonly outcome: BatchOutcome | null;
  readonly received: number;
  readonly rejected: number;
  readonly working: number;
  readonly held: number;
  readonly answered: number;
  readonly failed: number;
  readonly closed: number;
  readonly erased: number;
  /** The payers whose API does not answer, with the rows that wait for each. */
  readonly waits: readonly { readonly payer: string; readonly since: string; readonly waiting: number }[];
}

/** The sums of the counts of `batch_change`, by place. */
export const sumsOfPlaces = sql.join(
  ['answered', 'failed', 'closed', 'erased'].map(
    (place) =>
      sql`coalesce(sum(count) filter (where place = ${sql.lit(place)}), 0)::int as ${sql.ref(place)}`,
  ),
);

/**
 * Reads batches, newest first, in one statement, so that their counters add up at every read. Only rows that are leased
 * or held now and the changes of some seconds are counted: those that wait are the remainder.
 */
const readBatches = (routes: readonly Route[], condition: RawBuilder<unknown>) => sql<BatchRow>`
  select id, label, mode, received_at, coalesce(receiving_until > clock_timestamp(), false) as is_receiving,
    completed_at, canceled_at, canceled_by, ${subjectNameOf('canceled_by')} as canceled_by_name, ended_at, outcome, received_count as received, rejected_count as rejected,
    working.count as working, cardinality(held.ids) as held, answered_count + change.answered as answered,
    failed_count + change.failed as failed, closed_count + change.closed as closed,
    erased_count + change.erased as erased, array(
      select jsonb_build_object('payer', payer_name, 'since', silent.since, 'waiting', waiting.count)
      from (${silentPayers(routes)}) as silent cross join lateral (
        select count(*)::int as count, min(request_id) as request_id from work_queue
        where batch_id = batch.id and payer_id = silent.payer_id and channel in ('entry', 'api') and pool = 'live'
      ) as waiting join request on request.id = waiting.request_id
      where batch.ended_at is null order by payer_name
    ) as waits
  from batch
  cross join lateral (select ${sumsOfPlaces} from batch_change where batch_id = batch.id) as change
  cross join lateral (
    select array(
      select distinct queued.request_id from held_output join work_queue queued on queued.request_id = held_output.request_id
      where held_output.status = 'held' and queued.batch_id = batch.id
    ) as ids
  ) as held
  cross join lateral (
    select count(*)::int from work_queue
    where batch_id = batch.id and leased_until > now() and request_id <> all (held.ids)
  ) as working
  where ${condition}
  order by id desc`;

/** The payers whose API does not answer, or has said so, where requests wait for that first. */
function silentPayers(routes: readonly Route[]): RawBuilder<unknown> {
  const asked = routes.filter(({ channels: [first] }) => first !== undefined && isAsked(first));
  const planned = asked.flatMap((route) => {
    const from = downtimeAt(route, new Date())?.from.toISOString();
    return from === undefined ? [] : [{ payerId: route.payerId, from }];
  });
  return sql`
    select payer_id, min(since) as since from (
      select payer_id, since from payer_outage
      where ended_at is null and payer_id = any (${asked.map(({ payerId }) => payerId)}::text[])
      union all
      select * from unnest(${planned.map(({ payerId }) => payerId)}::text[], ${planned.map(({ from }) => from)}::timestamptz[])
    ) as known group by payer_id`;
}

type FoundBatch = { readonly kind: 'found'; readonly batch: Batch } | { readonly kind: 'not_found' };

/** A batch within reach, with its counters. */
export async function getBatch(
  { db }: Store,
  { caller, batchId, routes = [] }: BatchOf & WithRoutes,
): Promise<FoundBatch> {
  if (!isIssuedId('bat', batchId)) return { kind: 'not_found' };
  const { rows } = await readBatches(
    routes,
    sql`batch.id = ${batchId} and ${within(caller, 'account_id')}`,
  ).execute(db);
  return rows[0] ? { kind: 'found', batch: toBatch(rows[0]) } : { kind: 'not_found' };
}

/** A page of batches with their counters, newest first. */
export async function listBatches(
  { db }: Store,
  { caller, routes = [], ...page }: PageOptions & WithRoutes & { readonly caller: Caller },
): Promise<Page<Batch>> {
  const found = await readPage(db.selectFrom('batch').select('id').where(within(caller, 'account_id')), page);
  const ids = found.rows.map(({ id }) => id);
  const { rows } = await readBatches(routes, sql`batch.id = any (${ids})`).execute(db);
  return { items: rows.map(toBatch), next_cursor: found.next_cursor };
}

function toBatch(row: BatchRow): Batch {
  const { received, rejected, working, held, answered, failed, closed, erased } = row;
  const waiting = received - rejected - working - held - answered - failed - closed - erased;
  return {
    batch_id: row.id,
    label: row.label,
    mode: row.mode,
    state: stateOfBatch(row),
    outcome: row.outcome,
    received_at: row.received_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    canceled_by:
      row.canceled_by_name === null ? row.canceled_by : (JSON.parse(row.canceled_by_name) as string),
    counters: { received, rejected, waiting, working, held, answered, failed, closed, erased },
    ...(row.waits.length > 0 && {
      waiting_for_payer: row.waits.map((wait) => ({ ...wait, since: new Date(wait.since).toISOString() })),
    }),
  };
}

function stateOfBatch(row: BatchRow): BatchState {
  if (row.ended_at) return 'ended';
  if (row.canceled_at) return 'canceling';
  if (row.completed_at) return 'running';
  return row.is_receiving ? 'receiving' : 'incomplete';
}

interface RowsOf extends BatchOf {
  readonly limit: number;
  /** Only rows after this one; undefined: from the first. */
  readonly after: number | undefined;
}

type FoundRows<Item> =
  | {
      readonly kind: 'found';
      readonly items: Item[];
      /** The last row of the page; null where no row follows. */
      readonly next: number | null;
    }
  | { readonly kind: 'not_found' };

/** The faults of up to `limit` rejected rows, in the order of the rows. */
export async function listBatchErrors(store: Store, asked: RowsOf): Promise<FoundRows<BatchRowError>> {
  const { caller, batchId, limit, after = 0 } = asked;
  const owner = await findBatch(store, asked);
  if (owner === null) return { kind: 'not_found' };
  const { rows } = await sql<{ row: number; reference: Buffer | null; errors: ValidationError[] }>`
    select row, reference, errors from batch_row
    where batch_id = ${batchId} and row > ${after} and errors <> '[]'
    order by row limit ${limit + 1}`.execute(store.db);
  const shown = rows.slice(0, limit);
  await recordAccess(store.db, { caller, operation: 'batches.errors', subjectId: batchId });
  const items: BatchRowError[] = [];
  for (const { row, reference, errors } of shown) {
    const own = await openReference(store, { batchId, row, reference, accountId: owner });
    items.push(...errors.map(({ loc, type, msg }) => ({ row, reference: own, loc, type, msg })));
  }
  return { kind: 'found', items, next: rows.length > limit ? (shown.at(-1)?.row ?? null) : null };
}

/** An accepted row with what its request says now. */
export interface BatchRowResult {
  readonly row: number;
  readonly reference: string | null;
  readonly requestId: string | null;
  readonly state: 'unanswered' | 'complete' | 'failed' | 'erased';
  /** The `error_reason` of a failed one. */
  readonly error: string | null;
  /** Of a complete one. */
  readonly result: {
    readonly version: number;
    readonly input: RequestInfo;
    readonly insuranceData: InsurancePlanData[];
    readonly serviceDate: string | null;
    readonly benefits: StoredBenefits | null;
  } | null;
}

type ResultRow = { row: number; reference: Buffer | null; closed: boolean; request_id: string | null } & Omit<
  RequestModelRow,
  'received_at'
> & {
    erased_at: Date | null;
    service_date: Buffer | null;
    version: number | null;
    body: Buffer | null;
    benefits: Buffer | null;
  };

/** Up to `limit` accepted rows with their current results, in the order of the rows. */
export async function listBatchResults(store: Store, asked: RowsOf): Promise<FoundRows<BatchRowResult>> {
  const { caller, batchId, limit, after = 0 } = asked;
  const owner = await findBatch(store, asked);
  if (owner === null) return { kind: 'not_found' };
  const { rows } = await sql<ResultRow>`
    select one.row, one.reference, one.closed, one.request_id, request.id, request.account_id, request.input,
      request.service_date, request.outcome, request.outcome_reason, request.delivery, request.delivery_reason,
      request.erased_at, result.version, result.body, result.benefits
    from (
      select row, reference, closed, request_id from batch_row
      where batch_id = ${batchId} and row > ${after} and errors is null
      order by row limit ${limit + 1}
    ) as one
    left join request on request.id = one.request_id
    left join result on result.request_id = request.id and result.version = request.version
    order by one.row`.execute(store.db);
  const shown = rows.slice(0, limit);
  const requestIds = shown.flatMap(({ request_id: id }) => id ?? []);
  await recordAccess(store.db, { caller, operation: 'batches.results', requestIds, subjectId: batchId });
  const items: BatchRowResult[] = [];
  for (const one of shown) items.push(await openResult(store, { batchId, accountId: owner, one }));
  return { kind: 'found', items, next: rows.length > limit ? (shown.at(-1)?.row ?? null) : null };
}

/** The account of a batch within reach; null for none. */
async function findBatch({ db }: Store, { caller, batchId }: BatchOf): Promise<string | null> {
  if (!isIssuedId('bat', batchId)) return null;
  const batch = await db
    .selectFrom('batch')
    .select('account_id')
    .where('id', '=', batchId)
    .where(within(caller, 'account_id'))
    .executeTakeFirst();
  return batch?.account_id ?? null;
}

interface ReferenceOf {
  readonly batchId: string;
  readonly accountId: string;
  readonly row: number;
  readonly reference: Buffer | null;
}

async function openReference({ vault }: Store, { batchId, accountId, row, reference }: ReferenceOf) {
  return (
    reference && (await vault.decryptJson<string>({ accountId }, referencePlace(batchId, row), reference))
  );
}

async function openResult(
  store: Store,
  {
    batchId,
    accountId,
    one,
  }: { readonly batchId: string; readonly accountId: string; readonly one: ResultRow },
): Promise<BatchRowResult> {
  const { vault } = store;
  const { row, request_id: requestId } = one;
  const reference = await openReference(store, { batchId, accountId, row, reference: one.reference });
  const said = { row, reference, requestId, error: null, result: null };
  if (requestId === null)
    return { ...said, ...(one.closed ? { state: 'failed', error: 'withdrawn' } : { state: 'unanswered' }) };
  if (one.erased_at) return { ...said, state: 'erased' };
  if (one.outcome === 'none' || one.version === null || one.body === null)
    return { ...said, state: 'unanswered' };
  if (one.outcome === 'error_verifying')
    return {
      ...said,
      state: 'failed',
      error: await openErrorReason(vault, { ...one, delivery: 'none', delivery_reason: null }),
    };
  const place = `${requestId}.${one.version}`;
  const { insuranceData } = await vault.decryptJson<StoredFinding>(
    { accountId },
    `result.body:${place}`,
    one.body,
  );
  const benefits =
    one.benefits &&
    (await vault.decryptJson<StoredBenefits>({ accountId }, `result.benefits:${place}`, one.benefits));
  const input = await openRequestInfo(vault, one);
  const askedDay = await openServiceDate(vault, one);
  const serviceDate = askedDay ?? benefits?.serviceDate ?? null;
  return {
    ...said,
    state: 'complete',
    result: { version: one.version, input, insuranceData, serviceDate, benefits: ofDay(benefits, askedDay) },
  };
}
