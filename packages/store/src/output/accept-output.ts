import type { HeldReason, ResponseModel } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { EVERYWHERE } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import type { LocalWorker } from '../delivery/direct-handoff.ts';
import type { LockedRequest } from '../intake/lock-request.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import {
  type Application,
  attemptOf,
  digestOf,
  findingOf,
  openLocked,
  type OpenedLocked,
} from './apply-findings.ts';
import { decideDisposition } from './decide-disposition.ts';
import { type Decision, decideTogether, type Question } from './decide-together.ts';
import {
  HELD_CAPACITY,
  type HeldCapacity,
  type AtCapacity,
  holdAnonymousOutput,
  holdOutput,
} from './held/hold.ts';

export interface SubmittedOutput {
  readonly output: ResponseModel;
  /** The stable id of the payer that the output names. */
  readonly payerId: string;
  /** Null for a caller without a key of scope `verify`. Requests beyond its reach count as unknown. */
  readonly caller: Caller | null;
  /** The owner of a key that is not a verifier's: recorded, but not trusted. */
  readonly bearer?: Caller | null;
  /** An anonymous sender's IPv4 address, or the /64 of its IPv6 one. Null for a verifier's key. */
  readonly client: string | null;
  readonly trusted: boolean;
  /** The payer's route holds the results of agents for an operator. */
  readonly holdsAgentResults: boolean;
  readonly heldCapacity?: HeldCapacity;
}

export type AcceptedOutput =
  | { readonly kind: 'applied'; readonly version: number }
  | { readonly kind: 'unchanged'; readonly version: number }
  | { readonly kind: 'progress' }
  /** It names a request that was erased: nothing was stored. */
  | { readonly kind: 'erased' }
  | AtCapacity
  | {
      readonly kind: 'held';
      readonly reason: HeldReason;
      readonly heldId: string;
      /** Anonymous outputs still waiting that were removed to make room. */
      readonly displacedCount: number;
    };

/** The operation's name in the access log. */
const OPERATION = 'verificationOutput.submit' as const;

/**
 * Accepts an output by the table of {@link decideDisposition}, under the lock of its request: of any number of racing
 * outputs one becomes the result.
 * @param localWorker begins the delivery at once if it has a slot for it.
 */
export async function acceptOutput(
  store: Store,
  submitted: SubmittedOutput,
  localWorker?: LocalWorker,
): Promise<AcceptedOutput> {
  // Every use of a key is recorded; without a request id: this key may not look one up.
  const { bearer } = submitted;
  if (bearer) await recordAccess(store.db, { caller: bearer, operation: OPERATION });
  // Row 1 for an anonymous sender depends only on the missing key, so the request is not even looked up: a known id
  // must not take longer than an unknown one, and anonymous and other senders must not wait for each other.
  const isUntrusted = !submitted.trusted && !submitted.caller;
  const accepted: Accepted = isUntrusted
    ? { kind: 'to_hold', reason: 'untrusted' }
    : await decideTogether<Accepted>(store, questionOf(store, { ...submitted, localWorker }));
  if (accepted.kind !== 'to_hold') return accepted;
  const { reason } = accepted;
  const held = await holdAnonymousOutput(store, submitted, reason);
  return held.kind === 'held' ? { ...held, reason } : held;
}

/** `to_hold`: an anonymous output, to be held when this call has no lock or connection that could make others wait. */
type Accepted = AcceptedOutput | { readonly kind: 'to_hold'; readonly reason: HeldReason };

function questionOf(
  store: Store,
  submitted: SubmittedOutput & Pick<Application, 'localWorker'>,
): Question<Accepted> {
  const { output, caller } = submitted;
  return {
    requestId: output.request.request_id,
    reach: caller ?? EVERYWHERE,
    length: JSON.stringify(output.insurance_data).length,
    isSingle: output.request.state === 'pending',
    decide: (request) => decide(store, submitted, request),
  };
}

async function decide(
  store: Store,
  submitted: SubmittedOutput & Pick<Application, 'localWorker'>,
  request: LockedRequest | null,
): Promise<Decision<Accepted>> {
  const { output, caller, payerId, trusted, holdsAgentResults, localWorker } = submitted;
  // Anonymous outputs are recorded only if they became a result: the log is permanent, and anyone could repeat the other
  // cases forever.
  const access = request && caller ? { caller, operation: OPERATION, requestIds: [request.id] } : undefined;
  if (request?.erased_at) return { kind: 'answer', answer: { kind: 'erased' }, access };
  const opened = request && (await openLocked(store.vault, request));
  const finding = findingOf(output);
  const current = request?.digest ?? null;
  const disposition = decideDisposition({
    trusted,
    output,
    payerId,
    request: request && opened && { ...opened, payerId: request.payer_id },
    holdsAgentResults,
    finished: current !== null,
    sameAsStanding: current !== null && finding !== null && digestOf(store.vault, finding).equals(current),
  });
  if (disposition.kind === 'held') {
    const { reason } = disposition;
    if (!caller) return { kind: 'answer', answer: { kind: 'to_hold', reason } };
    return {
      kind: 'single',
      run: (trx) => holdUnderLock(trx, store, { ...submitted, caller, reason, opened }),
    };
  }
  if (!request || !opened) throw new Error('Only a held output may name no request.');
  if (disposition.kind === 'applied') {
    if (!finding) throw new Error('Only a finished output is applied.');
    const attempt = attemptOf(finding);
    return {
      kind: 'apply',
      application: { request: opened, finding, caller, operation: OPERATION, attempt, localWorker },
      answer: { kind: 'applied', version: opened.version + 1 },
    };
  }
  if (disposition.kind === 'unchanged')
    return { kind: 'answer', answer: { kind: 'unchanged', version: request.version }, access };
  return {
    kind: 'single',
    run: async (trx) => {
      if (access) await recordAccess(trx, access);
      await keepProgress(trx, store, request, output);
      return { kind: 'progress' };
    },
  };
}

interface ToHold extends SubmittedOutput {
  readonly caller: Caller;
  readonly reason: HeldReason;
  /** The known request that it names, locked; null when it names none. */
  readonly opened: OpenedLocked | null;
}

/**
 * Holds a verifier's output. Writes no attempt: the provider reads attempts, and a held output may concern another
 * patient, or be sent repeatedly. It is one row of an operator's list, and becomes an attempt when it is applied.
 */
async function holdUnderLock(
  trx: Transaction<Tables>,
  store: Store,
  { output, caller, reason, opened: request, heldCapacity: capacity = HELD_CAPACITY }: ToHold,
): Promise<Accepted> {
  const held = await holdOutput(trx, store, { output, reason, request, caller, capacity });
  if (held.kind !== 'held') return held;
  const { heldId } = held;
  const requestIds = request ? [request.id] : [];
  await recordAccess(trx, { caller, operation: OPERATION, requestIds, subjectId: heldId });
  return { kind: 'held', reason, heldId, displacedCount: 0 };
}

/** Keeps only the latest report: the endpoint is open, so a row per report could be made to grow forever. */
async function keepProgress(
  trx: Transaction<Tables>,
  { vault }: Store,
  request: LockedRequest,
  output: ResponseModel,
) {
  const progress = await vault.encrypt(
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
