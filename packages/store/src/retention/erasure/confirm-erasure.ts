import type { Erasure, ErasureCertificate } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { subjectNameOf } from '../../access/subject-name.ts';
import { isOnlyPerson, type NotSecond, whyNotSecond } from '../../access/two-people.ts';
import { openOrNull } from '../../encryption/seal.ts';
import { type LockedRequest, lockRequest } from '../../intake/lock-request.ts';
import { openRequestInfo } from '../../intake/read-request.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { changeRows, findRow, readNow } from '../../row-macs/covered-rows.ts';
import type { Tables } from '../../tables/tables.ts';
import { standingHolds } from '../holds/standing-holds.ts';
import { copiesLeft } from './copies-left.ts';
import { eraseRequests } from './erase-requests.ts';
import { isStanding, openErasures, selectErasures } from './erasure-row.ts';

export interface ErasureConfirmation {
  /** A person who has just signed in. */
  readonly caller: Caller;
  readonly erasureId: string;
  /** See {@link endingOf}. */
  readonly memberIdEnding: string;
  /** How long backups and archived log are kept; null where nobody said. */
  readonly backupDays: number | null;
}

export type ConfirmedErasure =
  /** Also where it was done before: then nothing changes. */
  | { readonly kind: 'confirmed'; readonly isNew: boolean; readonly erasure: Erasure }
  /** `erased`: meanwhile its retention was over. */
  | { readonly kind: 'not_found' | 'erased' }
  | { readonly kind: 'another_person_required'; readonly because: NotSecond }
  /** It is not the patient's ending; this is on record. After the fifth the erasure has to be asked for again. */
  | { readonly kind: 'wrong_ending' }
  | { readonly kind: 'held'; readonly holdId: string };

const OPERATION = 'erasures.confirm' as const;

/**
 * Erases a request, once a second person confirms that it is the one that was meant: all that the end of a retention
 * erases, in one transaction, and a certificate of it in the audit. Where one person alone is active on the installation,
 * that one confirms, and the certificate says so. Confirmed again it changes nothing.
 */
export async function confirmErasure(
  store: Store,
  confirmation: ErasureConfirmation,
): Promise<ConfirmedErasure> {
  const { caller, erasureId, memberIdEnding } = confirmation;
  if (!isIssuedId('ers', erasureId)) return { kind: 'not_found' };
  return store.db.transaction().execute(async (trx): Promise<ConfirmedErasure> => {
    const inside = { db: trx, vault: store.vault };
    const asked = await find(inside, confirmation);
    if (!asked) return { kind: 'not_found' };
    // A hold on the account is placed before this, and seen, or after it.
    await sql`select from account where id = ${asked.account_id} for share`.execute(trx);
    const request = await lockRequest(trx, asked.request_id, caller);
    if (!request) return { kind: 'not_found' };
    const erasure = await find(inside, confirmation);
    const asker = await findRow(inside, 'erasure', { is: { id: erasureId } });
    if (!erasure || !asker) return { kind: 'not_found' };
    if (erasure.erased_at) return { kind: 'confirmed', isNew: false, erasure };
    if (request.erased_at) return { kind: 'erased' };
    const [hold] = await standingHolds(inside, { accountId: request.account_id, requestId: request.id });
    if (hold) return { kind: 'held', holdId: hold.hold_id };
    const isAlone = await isOnlyPerson(inside, caller);
    const because = isAlone ? null : await whyNotSecond(inside, asker, caller);
    if (because) return { kind: 'another_person_required', because };
    if (memberIdEnding.trim().toUpperCase() !== (await endingOf(store, request)).toUpperCase()) {
      await changeRows(inside, 'erasure', {
        is: { id: erasureId },
        set: ({ wrong_count: count }) => ({ wrong_count: count + 1 }),
      });
      await recordAccess(trx, {
        caller,
        operation: OPERATION,
        requestIds: [request.id],
        subjectId: erasureId,
        outcome: 'refused',
      });
      return { kind: 'wrong_ending' };
    }
    const done = await erase(trx, store, { ...confirmation, request, erasure, isAlone });
    return { kind: 'confirmed', isNew: true, erasure: done };
  });
}

async function find(
  { db, vault }: Pick<Store, 'db' | 'vault'>,
  { caller, erasureId }: ErasureConfirmation,
): Promise<Erasure | undefined> {
  const rows = await selectErasures(db)
    .where('erasure.id', '=', erasureId)
    .where(within(caller, 'request.account_id'))
    .where(isStanding)
    .execute();
  return openErasures(vault, rows)[0];
}

interface Erasing extends ErasureConfirmation {
  readonly request: LockedRequest;
  readonly erasure: Erasure;
  readonly isAlone: boolean;
}

async function erase(
  trx: Transaction<Tables>,
  store: Store,
  { caller, erasureId, backupDays, request, erasure, isAlone }: Erasing,
): Promise<Erasure> {
  const { outcome_reason } = await trx
    .selectFrom('request')
    .select('outcome_reason')
    .where('id', '=', request.id)
    .executeTakeFirstOrThrow();
  const erased = await eraseRequests(trx, store, [{ ...request, outcome_reason }]);
  const erasedAt = await readNow(trx);
  const inside = { db: trx, vault: store.vault };
  const [changed] = await changeRows(inside, 'erasure', {
    is: { id: erasureId },
    set: () => ({ confirmed_by: caller.keyId, erased_at: erasedAt }),
  });
  if (!changed) throw new Error('An erasure that is being confirmed is gone.');
  const { name } = await trx
    .selectFrom('erasure')
    .select(subjectNameOf('erasure.confirmed_by').as('name'))
    .where('id', '=', erasureId)
    .executeTakeFirstOrThrow();
  const certificate: ErasureCertificate = {
    request_id: request.id,
    account_id: request.account_id,
    reason: erasure.reason,
    asked_by: erasure.asked_by,
    asked_at: erasure.asked_at,
    confirmed_by: caller.keyId,
    by_one_person: isAlone,
    erased_at: erasedAt.toISOString(),
    erased,
    copies: await copiesLeft(trx, { erasedAt, backupDays }),
  };
  await recordAccess(trx, {
    caller,
    operation: OPERATION,
    requestIds: [request.id],
    subjectId: erasureId,
    details: { certificate },
  });
  return {
    ...erasure,
    lapses_at: null,
    confirmed_by: caller.keyId,
    confirmed_by_name: JSON.parse(name ?? 'null') as string | null,
    erased_at: certificate.erased_at,
    certificate,
  };
}

/** Characters of a member id that are typed. */
const ENDING_LENGTH = 4;

/** What confirms: the last four characters of the member id, a shorter one whole, without one of the request id. */
async function endingOf({ vault }: Store, request: LockedRequest): Promise<string> {
  const input = await openOrNull(openRequestInfo(vault, request));
  const memberId = input?.patient_info.subscriber_id.trim() ?? '';
  const characters = Array.from(memberId === '' ? request.id : memberId);
  return characters.slice(-ENDING_LENGTH).join('').trim();
}
