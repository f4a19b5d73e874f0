import type { HeldReason, ResponseModel } from '@insurance-verification/schema';
import { type Kysely, sql, type Transaction } from 'kysely';
import { EVERYWHERE } from '../access/reach.ts';
import { recordAccess, recordAccesses } from '../access/record-access.ts';
import type { LocalWorker } from '../delivery/leases/local-worker.ts';
import { type LockedRequest, lockRequest } from '../intake/lock-request.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { decideDisposition } from './decide-disposition.ts';
import { type Application, applyToLocked, openFoundRequest } from './finding/apply-findings.ts';
import { applyTogether, eachOrNull } from './finding/apply-together.ts';
import { attemptOf, digestOf, findingOf } from './finding/finding.ts';
import { HELD_CAPACITY } from './held/held-capacity.ts';
import { holdAnonymousOutput } from './held/hold-anonymous-output.ts';
import { holdOutput } from './held/hold-output.ts';
import { type NamedRequestRow, readNamedRequests } from './read-named-requests.ts';
import {
  type AcceptedOutput,
  SUBMIT_OPERATION as operation,
  type SubmittedOutput,
} from './submitted-output.ts';

/**
 * Accepts outputs by the table of {@link decideDisposition}: of any number of racing outputs one becomes the result.
 *
 * The common cases, a first result (rows 7 and 8) and the current one sent again (row 5), take two statements, however
 * many outputs: the decision reads without a lock, since only the version can ever change, and is applied only to that
 * version. Whatever is another case, or was preceded by another output, is decided alone, under its request's lock.
 * @returns when the common cases are written, an answer for each output; the others' may still be to come.
 */
export async function acceptOutputs(
  store: Store,
  outputs: readonly SubmittedOutput[],
  localWorker?: LocalWorker,
): Promise<readonly Promise<AcceptedOutput>[]> {
  const common = await acceptTogether(store, outputs, localWorker);
  return outputs.map(async (submitted, index) => {
    const accepted = common[index] ?? (await acceptAlone(store, submitted));
    // A transaction hands no delivery over: the worker is woken to claim it.
    if (!common[index] && accepted.kind === 'applied') localWorker?.wake();
    return accepted;
  });
}

/** @returns null for each that is to be decided alone: nothing was done about it. */
async function acceptTogether(
  store: Store,
  outputs: readonly SubmittedOutput[],
  localWorker?: LocalWorker,
): Promise<(AcceptedOutput | null)[]> {
  if (!outputs.some(isCommon)) return outputs.map(() => null);
  // On one connection, so that a call that finds the pool exhausted waits only once.
  return store.db.connection().execute(async (db) => {
    const rows = await readNamed(db, outputs);
    const decided = await eachOrNull(outputs, (output, index) => decide(store, output, rows[index]));
    const applied = await applyTogether(
      db,
      store,
      decided.map((one) => one?.application ?? null),
      { localWorker },
    );
    await recordRepeats(
      db,
      outputs.filter((_, index) => decided[index]?.unchangedVersion !== undefined),
    );
    return decided.map((one, index): AcceptedOutput | null => {
      if (one?.unchangedVersion !== undefined) return { kind: 'unchanged', version: one.unchangedVersion };
      return applied[index] ? { kind: 'applied', version: 1 } : null;
    });
  });
}

/** May take the fast path. */
function isCommon({ output: { request }, trusted, bearer }: SubmittedOutput): boolean {
  return trusted && !bearer && request.state !== 'pending' && isIssuedId('req', request.request_id ?? '');
}

function readNamed(db: Kysely<Tables>, outputs: readonly SubmittedOutput[]) {
  return readNamedRequests(
    db,
    outputs.map((submitted) => {
      const { request_id: requestId } = submitted.output.request;
      return isCommon(submitted) && requestId !== null
        ? { requestId, reach: submitted.caller ?? EVERYWHERE }
        : null;
    }),
  );
}

interface Decided {
  readonly application?: Application;
  readonly unchangedVersion?: number;
}

async function decide(
  { vault }: Store,
  { output, payerId, caller, trusted, holdsAgentResults }: SubmittedOutput,
  row: NamedRequestRow | undefined,
): Promise<Decided | null> {
  const finding = findingOf(output);
  if (!row || !finding) return null;
  const request = await openFoundRequest(vault, row);
  const { kind } = decideDisposition({
    trusted,
    output,
    payerId,
    request: { ...request, payerId: row.payer_id },
    holdsAgentResults,
    finished: row.standing_digest !== null,
    sameAsStanding: row.standing_digest !== null && digestOf(vault, finding).equals(row.standing_digest),
  });
  if (kind === 'unchanged') return { unchangedVersion: row.version };
  if (kind !== 'applied') return null;
  return { application: { request, finding, caller, operation, attempt: attemptOf(finding) } };
}

/** Anonymous outputs are recorded only if they became a result, as in `acceptUnderLock`. */
async function recordRepeats(db: Kysely<Tables>, outputs: readonly SubmittedOutput[]): Promise<void> {
  await recordAccesses(
    db,
    outputs.flatMap(({ caller, output: { request } }) =>
      caller && request.request_id !== null ? [{ caller, operation, requestIds: [request.request_id] }] : [],
    ),
  );
}

async function acceptAlone(store: Store, submitted: SubmittedOutput): Promise<AcceptedOutput> {
  // Every use of a key is recorded; without a request id: this key may not look one up.
  const { bearer } = submitted;
  if (bearer) await recordAccess(store.db, { caller: bearer, operation });
  // Row 1 for an anonymous sender depends only on the missing key, so the request is not even looked up: a known id
  // must not take longer than an unknown one, and anonymous and other senders must not wait for each other.
  const isUntrusted = !submitted.trusted && !submitted.caller;
  const accepted: Accepted = isUntrusted
    ? { kind: 'to_hold', reason: 'untrusted' }
    : await acceptUnderLock(store, submitted);
  if (accepted.kind !== 'to_hold') return accepted;
  const { reason } = accepted;
  const held = await holdAnonymousOutput(store, submitted, reason);
  return held.kind === 'held' ? { ...held, reason } : held;
}

/** `to_hold`: an anonymous output, to be held when this call has no lock or connection that could make others wait. */
type Accepted = AcceptedOutput | { readonly kind: 'to_hold'; readonly reason: HeldReason };

/** Applies the whole table, in one transaction under the request's lock. */
function acceptUnderLock(store: Store, submitted: SubmittedOutput): Promise<Accepted> {
  return store.db.transaction().execute(async (trx): Promise<Accepted> => {
    const { output, caller, payerId, trusted, holdsAgentResults } = submitted;
    const request = await lockRequest(trx, output.request.request_id, caller ?? EVERYWHERE);
    if (request?.erased_at) {
      if (caller) await recordAccess(trx, { caller, operation, requestIds: [request.id] });
      return { kind: 'erased' };
    }
    const opened = request && (await openFoundRequest(store.vault, request));
    const finding = findingOf(output);
    const standing = request && (await standingDigest(trx, request));
    const disposition = decideDisposition({
      trusted,
      output,
      payerId,
      request: request && opened && { ...opened, payerId: request.payer_id },
      holdsAgentResults,
      finished: standing !== null,
      sameAsStanding:
        standing !== null && finding !== null && digestOf(store.vault, finding).equals(standing),
    });
    if (disposition.kind === 'held') {
      const { reason } = disposition;
      if (!caller) return { kind: 'to_hold', reason };
      // Writes no attempt, whoever sent it, because the provider reads attempts. A held output may concern another
      // patient, or be sent repeatedly; it appears once in an operator's list, and becomes an attempt only when
      // applied.
      const requestId = request?.id ?? null;
      const capacity = submitted.heldCapacity ?? HELD_CAPACITY;
      const held = await holdOutput(trx, store, { output, reason, request: opened, caller, capacity });
      if (held.kind !== 'held') return held;
      const { heldId } = held;
      const requestIds = requestId === null ? [] : [requestId];
      await recordAccess(trx, { caller, operation, requestIds, subjectId: heldId });
      return { kind: 'held', reason, heldId, displacedCount: 0 };
    }
    if (!request) throw new Error('Only a held output may name no request.');
    if (disposition.kind === 'applied') {
      if (!finding) throw new Error('Only a finished output is applied.');
      const attempt = attemptOf(finding);
      const version = await applyToLocked(trx, store, { request, finding, caller, operation, attempt });
      return { kind: 'applied', version };
    }
    // Anonymous outputs are recorded only if they became a result: the log is permanent, and anyone could repeat these
    // two cases forever.
    if (caller) await recordAccess(trx, { caller, operation, requestIds: [request.id] });
    if (disposition.kind === 'unchanged') return { kind: 'unchanged', version: request.version };
    await keepProgress(trx, store, request, output);
    return { kind: 'progress' };
  });
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

/** Keeps only the latest report: the endpoint is open, so a row per report could be made to grow forever. */
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
