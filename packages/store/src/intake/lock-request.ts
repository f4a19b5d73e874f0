import type { Outcome } from '@insurance-verification/schema';
import { CompiledQuery, type Transaction } from 'kysely';
import { type Reach, reachText } from '../access/reach.ts';
import { binaryArray } from '../functions/binary-array.ts';
import { PREPARED } from '../functions/prepared-call.ts';
import { isIssuedId } from '../issued-id.ts';
import type { QueueName } from '../tables/intake.ts';
import type { Tables } from '../tables/tables.ts';
import { lockRequestsFunction } from './lock-requests.sql.ts';

/** A request that a transaction locked, with its place in the queue: null once it is finished. */
export interface LockedRequest {
  readonly id: string;
  readonly account_id: string;
  readonly payer_id: string;
  readonly input: Buffer;
  readonly received_at: Date;
  readonly outcome: Outcome;
  readonly version: number;
  readonly erased_at: Date | null;
  /** The number of its latest event. */
  readonly event_count: number;
  /** The start of the transaction by the database's clock. */
  readonly began_at: Date;
  readonly channel: QueueName | null;
  /** The batch that it came in; null for a single or a finished one. */
  readonly batch_id: string | null;
  readonly lease: string | null;
  /** The lease has not lapsed, by the clock after the lock was obtained. */
  readonly lease_holds: boolean;
  /** Of its latest attempt; null without any. */
  readonly attempt_number: number | null;
  /** Of its current result; null while it is unfinished. */
  readonly digest: Buffer | null;
}

/** A request to lock, for a caller of some reach. */
interface AskedRequest {
  readonly requestId: string;
  readonly reach: Reach;
}

/**
 * Locks a request against every other change of its outcome and its place in the queue until the transaction ends: first
 * the request, then its row of the queue. Every transaction that changes a request's results, deliveries or held outputs
 * takes this lock first, which prevents deadlocks. Waits for another's lock. Null when no such request is within reach.
 */
export async function lockRequest(
  trx: Transaction<Tables>,
  requestId: string | null,
  reach: Reach,
): Promise<LockedRequest | null> {
  if (requestId === null || !isIssuedId('req', requestId)) return null;
  const { rows } = await trx.executeQuery(lockRequests([{ requestId, reach }], { waits: true }));
  return rows[0] ?? null;
}

/**
 * Makes the statement that locks several requests as {@link lockRequest} does, and answers those that exist within reach,
 * in no particular order.
 * @param asked of different requests, with ids in issued form.
 * @param waits false skips a request that another transaction has locked.
 */
export function lockRequests(
  asked: readonly AskedRequest[],
  { waits }: { readonly waits: boolean },
): CompiledQuery<LockedRequest> {
  const ids = binaryArray('text', asked, ({ requestId }) => requestId);
  const reaches = binaryArray('text', asked, ({ reach }) => reachText(reach));
  return CompiledQuery.raw(CALL, [ids, reaches, waits]);
}

/** A constant text, which Kysely need not assemble for each statement. */
const CALL = `select * from ${lockRequestsFunction.name}($1, $2, $3) ${PREPARED}`;
