import type {
  HeldOutput,
  HeldOutputDetail,
  HeldOutputList,
  HeldReason,
  HeldStats,
} from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { counting } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { subjectNameOf } from '../../access/subject-name.ts';
import type { StoredBenefits } from '../../evidence/stored-benefits.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { type PageOptions, readPage } from '../../page.ts';
import {
  askedMembersOf,
  readDifferences,
  resultMembersOf,
  selectAsked,
} from '../comparison/held-differences.ts';
import {
  findEncryptedHeld,
  heldRefs,
  heldWithin,
  namedRequest,
  openHeldBenefits,
  openHeldBody,
  openHeldEvidence,
  openHeldNote,
} from './held-encryption.ts';

interface HeldOutputListOptions extends PageOptions {
  readonly caller: Caller;
  readonly reason?: HeldReason | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Lists the outputs that await an operator, filtered by reason and time. */
export async function listHeldOutputs(
  store: Store,
  { caller, reason, since, until, ...page }: HeldOutputListOptions,
): Promise<HeldOutputList> {
  const { db } = store;
  const held = heldRefs(db, caller)
    .select(['received_at', 'byte_count', 'differences'])
    .select(subjectNameOf('received_by').as('offered_by'))
    .where('status', '=', 'held')
    .where((eb) =>
      eb.and([
        ...(reason === undefined ? [] : [eb('reason', '=', reason)]),
        ...(since === undefined ? [] : [eb('received_at', '>=', since)]),
        ...(until === undefined ? [] : [eb('received_at', '<', until)]),
      ]),
    );
  const { rows, next_cursor } = await readPage(held, page);
  const requestIds = [...new Set(rows.flatMap(({ request_id: id }) => id ?? []))];
  await recordAccess(db, { caller, operation: 'heldOutputs.list', requestIds });
  return { items: await withRequests(store, caller, rows), next_cursor };
}

/** Adds to each output its request and the fields in which it differs. */
async function withRequests(
  store: Store,
  caller: Caller,
  rows: readonly (HeldRow & { readonly offered_by: string | null } & Parameters<
      typeof readDifferences
    >[1]['heldOutputs'][number])[],
): Promise<HeldOutput[]> {
  const requestIds = [...new Set(rows.flatMap(({ request_id: id }) => id ?? []))];
  const asked = await selectAsked(store.db, caller)
    .where(sql<boolean>`request.id = any (${requestIds})`)
    .execute();
  const requests = new Map(asked.map((row) => [row.id, row]));
  const isComparable = ({ request_id: id }: HeldRow) => id !== null && requests.get(id)?.erased_at === null;
  const differences = await readDifferences(store, {
    caller,
    heldOutputs: rows.filter(isComparable),
    asked: asked.filter(({ erased_at: erasedAt }) => erasedAt === null),
  });
  return rows.map((row) => {
    const request = requests.get(row.request_id ?? '');
    const differing = differences.get(row.id);
    return {
      ...toHeldOutline(row),
      account_name: request ? (JSON.parse(request.account_name) as string) : null,
      account_mode: request?.account_mode ?? null,
      payer: request?.payer_name ?? null,
      patient_initials: differing?.initials ?? null,
      offered_by: JSON.parse(row.offered_by ?? 'null') as string | null,
      differs: differing ? askedMembersOf(differing) : [],
      changes: differing ? resultMembersOf(differing) : [],
    };
  });
}

/** What every list shows of the held outputs, settled ones too, that the caller may access. */
export function selectHeld(db: Store['db'], caller: Caller) {
  return db
    .selectFrom('held_output')
    .select(['id', 'reason', 'received_at', namedRequest.as('request_id')])
    .where(heldWithin(caller));
}

interface HeldRow {
  readonly id: string;
  readonly reason: HeldReason;
  readonly received_at: Date;
  readonly request_id: string | null;
}

export function toHeldOutline({ id, reason, received_at, request_id }: HeldRow) {
  return { held_id: id, reason, received_at: received_at.toISOString(), request_id };
}

/** A held output as stored; the api interprets its benefits. */
export interface ReadHeldOutput {
  readonly held: Omit<HeldOutputDetail, 'benefits'>;
  /** Null when it came without, or was dismissed. */
  readonly benefits: StoredBenefits | null;
}

/** `not_found`: no such held output within the caller's reach; also for malformed ids. */
type FoundHeldOutput = ({ readonly kind: 'found' } & ReadHeldOutput) | { readonly kind: 'not_found' };

/** A held output with its body. Settled ones remain readable until they expire. */
export async function getHeldOutput(store: Store, named: NamedHeldOutput): Promise<FoundHeldOutput> {
  const found = await readHeldOutput(store, named);
  if (!found) return { kind: 'not_found' };
  await recordAccess(store.db, {
    caller: named.caller,
    operation: 'heldOutputs.get',
    subjectId: named.heldId,
    ...(found.held.request_id !== null && { requestIds: [found.held.request_id] }),
  });
  return { kind: 'found', ...found };
}

interface NamedHeldOutput {
  readonly caller: Caller;
  readonly heldId: string;
}

/** Reads a held output within the caller's reach, without an entry in the access log; null for none. */
export async function readHeldOutput(
  { db, vault }: Store,
  { caller, heldId }: NamedHeldOutput,
): Promise<ReadHeldOutput | null> {
  if (!isIssuedId('held', heldId)) return null;
  const row = await findEncryptedHeld(db, { caller, heldId });
  if (!row) return null;
  const evidence = await openHeldEvidence(vault, row);
  return {
    held: {
      ...toHeldOutline(row),
      status: row.status,
      output: await openHeldBody(vault, row),
      note: await openHeldNote(vault, row),
      ...(evidence?.correctionReason !== undefined && {
        correction: {
          by: JSON.parse(row.received_by_name ?? 'null') as string | null,
          reason: evidence.correctionReason,
        },
      }),
    },
    benefits: await openHeldBenefits(vault, row),
  };
}

const COUNT_MAX = 10_000;

/**
 * How many outputs within the caller's reach wait for an operator, for a live caller without those of test accounts,
 * 10,000 at most, and since when the first of them does. Reads the index of those that wait; the counters of
 * {@link measureHeldOutputs} know no reach.
 */
export async function countHeldOutputs(
  { db }: Pick<Store, 'db'>,
  { caller }: { readonly caller: Caller },
): Promise<HeldStats> {
  const waiting = sql`held_output where status = 'held' and ${heldWithin(counting(caller))}`;
  const { rows } = await sql<{ open_count: number; oldest_received_at: Date | null }>`
    select (select count(*)::int from (select from ${waiting} limit ${COUNT_MAX}) as counted) as open_count,
      (select received_at from ${waiting} order by id limit 1) as oldest_received_at`.execute(db);
  const [row] = rows;
  return {
    open_count: row?.open_count ?? 0,
    oldest_received_at: row?.oldest_received_at?.toISOString() ?? null,
  };
}

interface HeldMeasure {
  readonly reason: HeldReason;
  readonly rowCount: number;
  readonly byteCount: number;
}

/** Counts the outputs awaiting an operator, by reason. Reads eight counters, however much is held. */
export async function measureHeldOutputs({ db }: Store): Promise<HeldMeasure[]> {
  const rows = await db
    .selectFrom('held_count')
    .select((count) => [
      'reason',
      count.fn.sum<string>('row_count').as('rows'),
      count.fn.sum<string>('byte_count').as('bytes'),
    ])
    .groupBy('reason')
    .orderBy('reason')
    .execute();
  return rows.map(({ reason, rows: rowCount, bytes: byteCount }) => ({
    reason,
    rowCount: Number(rowCount),
    byteCount: Number(byteCount),
  }));
}

/**
 * The ids of outputs that a sender submitted at least so many seconds ago and that still wait, oldest first; 20 at
 * most.
 */
export async function heldBy(
  { db }: Pick<Store, 'db'>,
  { caller, seconds }: { readonly caller: Caller; readonly seconds: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('held_output')
    .select('id')
    .where('received_by', '=', caller.keyId)
    .where('status', '=', 'held')
    .where('received_at', '<=', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .orderBy('id')
    .limit(20)
    .execute();
  return rows.map(({ id }) => id);
}
