import { type Kysely, sql, type Transaction } from 'kysely';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import { type LockedRequest, lockRequest } from '../lock-request.ts';
import type { ResponseModel } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';
import { openRequestInfo } from '../request-row.ts';
import type { Tables } from '../tables.ts';
import { applyFinding } from './apply-finding.ts';
import { applyFirstResult } from './apply-first-result.ts';
import { attemptOf } from './attempt-of.ts';
import { decideDisposition } from './decide-disposition.ts';
import { digestOf, findingOf } from './finding.ts';
import { HELD_CAPACITY, holdOutput } from './hold-output.ts';
import {
  type AcceptedOutput,
  SUBMIT_OPERATION as operation,
  type SubmittedOutput,
} from './submitted-output.ts';

/**
 * Accepts an output by the table of {@link decideDisposition}: of any number of racing outputs one becomes the result.
 * @throws {HeldCapacityExceededError} when it would have to be held and there is no room.
 */
export async function acceptOutput(store: Store, submitted: SubmittedOutput): Promise<AcceptedOutput> {
  // On one connection, so that who finds the pool exhausted waits for one turn only.
  return store.db
    .connection()
    .execute(
      async (db) => (await applyFirstResult(db, store, submitted)) ?? acceptUnderLock(db, store, submitted),
    );
}

/** The whole table, in one transaction under the request's lock. */
function acceptUnderLock(
  db: Kysely<Tables>,
  store: Store,
  submitted: SubmittedOutput,
): Promise<AcceptedOutput> {
  return db.transaction().execute(async (trx): Promise<AcceptedOutput> => {
    const { output, caller, payerId, trusted } = submitted;
    // What a stranger sends is held whatever the request says, so it never waits for the request, or makes others wait.
    const request = trusted ? await lockRequest(trx, output.request.request_id) : null;
    const finding = findingOf(output);
    const standing = request && (await standingDigest(trx, request));
    const disposition = decideDisposition({
      trusted,
      output,
      payerId,
      request: request && {
        id: request.id,
        payerId: request.payer_id,
        input: await openRequestInfo(store.vault, request),
      },
      finished: standing !== null,
      sameAsStanding:
        standing !== null && finding !== null && digestOf(store.vault, finding).equals(standing),
    });
    if (disposition.kind === 'held') {
      // No attempt is written, whoever sent it: the provider reads those. What is held may be about another patient, or
      // be sent again and again; an operator's list has it once, and applying it is what makes it an attempt.
      const requestId = request?.id ?? (await findRequestId(trx, output.request.request_id));
      const capacity = submitted.heldCapacity ?? HELD_CAPACITY;
      const heldId = await holdOutput(trx, store, {
        output,
        reason: disposition.reason,
        requestId,
        caller,
        capacity,
      });
      // Nobody's output about nothing of ours leaves no line: the log is for ever, and anyone may send them.
      if (requestId !== null) await recordAccess(trx, { caller, operation, requestIds: [requestId] });
      else if (caller) await recordAccess(trx, { caller, operation });
      return { ...disposition, heldId };
    }
    if (!request) throw new Error('Only a held output may name no request.');
    if (disposition.kind === 'applied') {
      if (!finding) throw new Error('Only a finished output is applied.');
      return {
        kind: 'applied',
        version: await applyFinding(trx, store, {
          request,
          finding,
          caller,
          operation,
          attempt: attemptOf(finding),
        }),
      };
    }
    await recordAccess(trx, { caller, operation, requestIds: [request.id] });
    if (disposition.kind === 'unchanged') return { kind: 'unchanged', version: request.version };
    await keepProgress(trx, store, request, output);
    return { kind: 'progress' };
  });
}

/** The id itself when a request has it; null for any other text. */
async function findRequestId(trx: Transaction<Tables>, id: string | null): Promise<string | null> {
  if (id === null || !isIssuedId('req', id)) return null;
  const row = await trx.selectFrom('request').select('id').where('id', '=', id).executeTakeFirst();
  return row?.id ?? null;
}

/** Null while the request is unfinished. */
async function standingDigest(trx: Transaction<Tables>, request: LockedRequest): Promise<Buffer | null> {
  if (request.version === 0) return null;
  const { digest } = await trx
    .selectFrom('result')
    .select('digest')
    .where('request_id', '=', request.id)
    .where('version', '=', request.version)
    .executeTakeFirstOrThrow();
  return digest;
}

/** Only the latest report is kept: the operation is open, so a row per report could be made to grow for ever. */
async function keepProgress(
  trx: Transaction<Tables>,
  { vault }: Store,
  request: LockedRequest,
  output: ResponseModel,
) {
  const progress = await vault.seal(
    { accountId: request.account_id },
    `request.progress:${request.id}`,
    JSON.stringify(output.insurance_data),
  );
  await trx
    .updateTable('request')
    .set({ progress, progress_at: sql<Date>`now()` })
    .where('id', '=', request.id)
    .execute();
}
