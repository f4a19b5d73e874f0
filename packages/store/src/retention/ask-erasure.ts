import type { CopyLeft, Erasure, ErasureCertificate, ErasureReason } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { subjectNameOf } from '../access/subject-name.ts';
import { askerOf, isOnlyPerson, type NotSecond, whyNotSecond } from '../access/two-people.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import { type LockedRequest, lockRequest } from '../intake/lock-request.ts';
import { openRequestInfo } from '../intake/read-request.ts';
import { isIssuedId, issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { changeRows, findRow, insertRow, readNow } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { eraseRequests } from './erase-requests.ts';
import { isStanding, openErasures, selectErasures } from './erasures.ts';
import { standingHolds } from './standing-holds.ts';

interface ErasureAsking {
  readonly caller: Caller;
  readonly requestId: string;
  readonly reason: ErasureReason;
}

type AskedErasure =
  /** Also where it was asked for before, or is done: then it is as it was. */
  | { readonly kind: 'asked'; readonly erasure: Erasure }
  /** `erased`: its retention was over, and it has no data left. */
  | { readonly kind: 'not_found' | 'erased' }
  | { readonly kind: 'held'; readonly holdId: string };

/** Asks for the erasure of a request. Nothing is erased before a person confirms it (`confirmErasure`). */
export async function askErasure(store: Store, asking: ErasureAsking): Promise<AskedErasure> {
  const { caller, requestId, reason } = asking;
  return store.db.transaction().execute(async (trx): Promise<AskedErasure> => {
    const inside = { db: trx, vault: store.vault };
    const request = await lockRequest(trx, requestId, caller);
    if (!request) return { kind: 'not_found' };
    const standing = await findStanding(inside, requestId);
    if (standing) {
      await recordAccess(trx, { caller, operation: 'requests.erase', requestIds: [requestId] });
      return { kind: 'asked', erasure: standing };
    }
    if (request.erased_at) return { kind: 'erased' };
    const [hold] = await standingHolds(inside, { accountId: request.account_id, requestId });
    if (hold) return { kind: 'held', holdId: hold.hold_id };
    // One that lapsed, or was altered.
    await trx.deleteFrom('erasure').where('request_id', '=', requestId).execute();
    const { id } = await insertRow(inside, 'erasure', {
      id: issueId('ers'),
      request_id: requestId,
      reason,
      ...(await askerOf(inside, caller)),
      asked_at: await readNow(trx),
      wrong_count: 0,
      confirmed_by: null,
      erased_at: null,
    });
    await recordAccess(trx, {
      caller,
      operation: 'requests.erase',
      requestIds: [requestId],
      subjectId: id,
      details: { before: null, after: { reason } },
    });
    const erasure = await findStanding(inside, requestId);
    if (!erasure) throw new Error('An erasure that was just asked for is gone.');
    return { kind: 'asked', erasure };
  });
}

async function findStanding(
  { db, vault }: Pick<Store, 'db' | 'vault'>,
  requestId: string,
): Promise<Erasure | undefined> {
  const rows = await selectErasures(db)
    .where('erasure.request_id', '=', requestId)
    .where(isStanding)
    .execute();
  return openErasures(vault, rows)[0];
}

interface ErasureConfirmation {
  /** A person who has just signed in. */
  readonly caller: Caller;
  readonly erasureId: string;
  /** See {@link endingOf}. */
  readonly memberIdEnding: string;
  /** How long backups and archived log are kept; null where not configured. */
  readonly backupDays: number | null;
}

type ConfirmedErasure =
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
 * erases, in one transaction, and a certificate of it in the audit. Where only one person is active on the installation,
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
  const input = await decryptOrNull(openRequestInfo(vault, request));
  const memberId = input?.patient_info.subscriber_id.trim() ?? '';
  const characters = Array.from(memberId === '' ? request.id : memberId);
  return characters.slice(-ENDING_LENGTH).join('').trim();
}

interface Erased {
  readonly erasedAt: Date;
  /** How long backups and archived log are kept; null where not configured. */
  readonly backupDays: number | null;
}

interface Server {
  readonly position: string;
  readonly archives: boolean;
  readonly standbys: readonly string[] | null;
}

const DAY_MS = 86_400_000;

/**
 * The copies that an erasure does not reach, as far as the database knows of them: the settings of its log, and the
 * standbys that follow now. It never knows of backups that were made of it.
 */
async function copiesLeft(trx: Transaction<Tables>, { erasedAt, backupDays }: Erased): Promise<CopyLeft[]> {
  const { rows } = await sql<Server>`
    select pg_current_wal_lsn()::text as position, current_setting('archive_mode') <> 'off' as archives,
      (select array_agg(coalesce(application_name, 'of process ' || pid) order by pid)
        from pg_stat_replication) as standbys`.execute(trx);
  const server = rows[0];
  if (!server) throw new Error('A select of one row gave none.');
  const until = backupDays === null ? null : new Date(erasedAt.getTime() + backupDays * DAY_MS).toISOString();
  const kept =
    backupDays === null ? 'when whoever keeps them deletes them' : `they are kept ${backupDays} days`;
  return [
    {
      kind: 'table_file',
      name: null,
      until: null,
      ends: 'The old versions of the rows go with the next vacuum; their bytes, once the space is used again.',
    },
    {
      kind: 'write_ahead_log',
      name: `up to ${server.position}`,
      until: null,
      ends: 'The files of the log are used again once two checkpoints have passed and every standby has them.',
    },
    ...(server.archives
      ? [
          {
            kind: 'archived_log',
            name: `up to ${server.position}`,
            until,
            ends: `Files of the log that were archived: ${kept}.`,
          } as const,
        ]
      : []),
    ...(server.standbys ?? []).map((name): CopyLeft => ({
      kind: 'standby',
      name,
      until: null,
      ends: 'It erases as soon as it has replayed the log up to this transaction; its own log and files are as above.',
    })),
    {
      kind: 'backup',
      name: `each that was made before ${erasedAt.toISOString()}`,
      until,
      ends: `Backups and snapshots: ${kept}. One that is restored has the data again: erase it again.`,
    },
  ];
}
