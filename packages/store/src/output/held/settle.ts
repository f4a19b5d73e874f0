import type { DismissedHeldOutputs, HeldReason } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { lockRequest } from '../../intake/lock-request.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { endChannelOfDismissed } from '../../verification/overdue/requeue.ts';
import { applyFinding, findingOf, openLocked } from '../apply-findings.ts';
import { creditFinder } from './credit-finder.ts';
import {
  findEncryptedHeld,
  heldOwner,
  heldPlace,
  heldRefs,
  namedRequest,
  openHeldBenefits,
  openHeldBody,
  openHeldEvidence,
} from './held-encryption.ts';

interface HeldApplication {
  readonly caller: Caller;
  readonly heldId: string;
  /** The request to apply it to; by default the one that the output names. */
  readonly requestId?: string | undefined;
}

type AppliedHeldOutput =
  | { readonly kind: 'applied'; readonly requestId: string; readonly version: number }
  /** `not_a_result`: it reports progress. */
  | { readonly kind: 'not_found' | 'settled' | 'not_a_result' }
  /** `erased`: the data of the request is gone, so that no result of it can be delivered. */
  | { readonly kind: 'erased' }
  /** `no_target`: the output names no known request, and no other was given. */
  | { readonly kind: 'no_target' | 'unknown_request' };

/**
 * Applies a held output, by an operator's decision, to its own request or to a named one. On a finished request that is
 * a correction, version n+1, delivered as a separate message.
 */
export async function applyHeldOutput(
  store: Store,
  application: HeldApplication,
): Promise<AppliedHeldOutput> {
  const { heldId, caller } = application;
  if (!isIssuedId('held', heldId)) return { kind: 'not_found' };
  return store.db.transaction().execute(async (trx): Promise<AppliedHeldOutput> => {
    const held = await findEncryptedHeld(trx, { caller, heldId });
    if (!held) return { kind: 'not_found' };
    if (held.status !== 'held') return { kind: 'settled' };
    const finding = findingOf(await openHeldBody(store.vault, held));
    if (!finding) return { kind: 'not_a_result' };
    const requestId = application.requestId ?? held.request_id;
    if (requestId === null) return { kind: 'no_target' };
    const request = await lockRequest(trx, requestId, caller);
    if (!request) return { kind: 'unknown_request' };
    if (request.erased_at) return { kind: 'erased' };
    // Under the request's lock, so that of two operators one settles it and the other learns that it is settled.
    if (!(await settleHeldOutput(trx, { heldId, status: 'applied', caller }))) return { kind: 'settled' };
    const operation = 'heldOutputs.apply';
    if (held.request_id !== null && held.request_id !== requestId) {
      await recordAccess(trx, { caller, operation, requestIds: [held.request_id], subjectId: heldId });
    }
    const evidence = await openHeldEvidence(store.vault, held);
    const attempt = await creditFinder(trx, store, { request, finding, held, evidence });
    const benefits = await openHeldBenefits(store.vault, held);
    const version = await applyFinding(trx, store, {
      request: await openLocked(store.vault, request),
      finding: { ...finding, ...(benefits && { benefits: { ...benefits, attempt } }) },
      caller,
      operation,
      heldOutputId: heldId,
    });
    return { kind: 'applied', requestId, version };
  });
}

interface Dismissal {
  readonly caller: Caller;
  readonly heldId: string;
  readonly note?: string | undefined;
}

/** `settled`: it was already applied or dismissed. */
interface DismissedHeldOutput {
  readonly kind: 'dismissed' | 'settled' | 'not_found';
}

/** Settles a held output without applying it. */
export async function dismissHeldOutput(
  { db, vault }: Store,
  { caller, heldId, note }: Dismissal,
): Promise<DismissedHeldOutput> {
  if (!isIssuedId('held', heldId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<DismissedHeldOutput> => {
    const held = await heldRefs(trx, caller).where('held_output.id', '=', heldId).executeTakeFirst();
    if (!held) return { kind: 'not_found' };
    const encryptedNote =
      note === undefined
        ? null
        : await vault.encrypt(heldOwner(held), heldPlace('note', held), JSON.stringify(note));
    if (!(await settleHeldOutput(trx, { heldId, status: 'dismissed', caller, note: encryptedNote })))
      return { kind: 'settled' };
    if (held.reason === 'agent_result' && held.request_id !== null)
      await endChannelOfDismissed(trx, [held.request_id]);
    const requestIds = held.request_id === null ? {} : { requestIds: [held.request_id] };
    await recordAccess(trx, { caller, operation: 'heldOutputs.dismiss', subjectId: heldId, ...requestIds });
    return { kind: 'dismissed' };
  });
}

interface BulkDismissal {
  readonly caller: Caller;
  readonly reason: HeldReason;
  /** Only outputs received before this time; defaults to now. */
  readonly receivedBefore?: Date | undefined;
  /** Only outputs that name this request. */
  readonly requestId?: string | undefined;
  readonly note?: string | undefined;
  readonly limit: number;
}

/** Rows locked at once: applying one of them waits some 20 ms at most. */
const BATCH_COUNT = 250;

const OPERATION = 'heldOutputs.dismissMany';

/**
 * Dismisses many held outputs of one reason, oldest first. One transaction per batch, so an interrupted call keeps
 * its progress, and calling again does the rest. Skips new arrivals, so that a flood cannot keep it going, and
 * outputs that another caller is settling.
 */
export async function dismissHeldOutputs(
  store: Store,
  dismissal: BulkDismissal,
): Promise<DismissedHeldOutputs> {
  const { db } = store;
  const { caller, limit, requestId } = dismissal;
  // No row names an id that was never issued, or a NUL, which PostgreSQL refuses in any text.
  if (requestId !== undefined && !isIssuedId('req', requestId)) {
    await recordAccess(db, { caller, operation: OPERATION });
    return { dismissed: 0, more: false };
  }
  // As text: a Date would lose the microseconds, and with them outputs received in this millisecond.
  const { until } = await db
    .selectNoFrom(
      sql<string>`least(now(), ${dismissal.receivedBefore ?? null}::timestamptz)::text`.as('until'),
    )
    .executeTakeFirstOrThrow();
  const scope = { ...dismissal, until };
  let dismissedCount = 0;
  while (dismissedCount < limit) {
    const batchCount = Math.min(BATCH_COUNT, limit - dismissedCount);
    const batch = await db.transaction().execute((trx) => dismissBatch(trx, store, scope, batchCount));
    if (batch === 0) break;
    dismissedCount += batch;
  }
  if (dismissedCount === 0) await recordAccess(db, { caller, operation: OPERATION });
  const left = await waiting(db, scope).limit(1).executeTakeFirst();
  return { dismissed: dismissedCount, more: left !== undefined };
}

type Scope = BulkDismissal & { readonly until: string };

async function dismissBatch(
  trx: Transaction<Tables>,
  { vault }: Store,
  scope: Scope,
  batchCount: number,
): Promise<number> {
  const { caller, note } = scope;
  const rows = await waiting(trx, scope).limit(batchCount).forUpdate('held_output').skipLocked().execute();
  if (rows.length === 0) return 0;
  const text = note === undefined ? null : JSON.stringify(note);
  const notes: (Buffer | null)[] = [];
  // One after the other: keys that other processes made are loaded over the single connection for data keys.
  for (const row of rows)
    notes.push(text === null ? null : await vault.encrypt(heldOwner(row), heldPlace('note', row), text));
  await sql`
    update held_output set status = 'dismissed', settled_at = now(), settled_by = ${caller.keyId}, note = dismissed.note,
      benefits = null
    from unnest(${rows.map(({ id }) => id)}::text[], ${notes}::bytea[]) as dismissed (id, note)
    where held_output.id = dismissed.id`.execute(trx);
  const requestIds = new Set(rows.flatMap(({ request_id: id }) => (id === null ? [] : [id])));
  if (scope.reason === 'agent_result') await endChannelOfDismissed(trx, [...requestIds]);
  await recordAccess(trx, { caller, operation: OPERATION, requestIds: [...requestIds] });
  return rows.length;
}

function waiting(db: Store['db'], { caller, reason, until, requestId }: Scope) {
  return heldRefs(db, caller)
    .where('status', '=', 'held')
    .where('reason', '=', reason)
    .where('held_output.received_at', '<', sql<Date>`${until}::timestamptz`)
    .$if(requestId !== undefined, (held) => held.where(namedRequest, '=', requestId ?? ''))
    .orderBy('held_output.id');
}

interface Settlement {
  readonly heldId: string;
  readonly status: 'applied' | 'dismissed';
  readonly caller: Caller;
  /** Encrypted. */
  readonly note?: Buffer | null;
}

/** Marks a held output as settled; false, without changes, when it was settled before. */
async function settleHeldOutput(db: Transaction<Tables>, settlement: Settlement): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('held_output')
    .set({
      status: settlement.status,
      settled_at: sql<Date>`now()`,
      settled_by: settlement.caller.keyId,
      note: settlement.note ?? null,
      ...(settlement.status === 'dismissed' && { benefits: null }),
    })
    .where('id', '=', settlement.heldId)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
