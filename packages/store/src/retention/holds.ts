import type { LegalHold, LegalHoldList } from '@insurance-verification/schema';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { accountNameOf } from '../access/list-accounts.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { subjectNameOf } from '../access/subject-name.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import type { Vault } from '../encryption/vault.ts';
import { lockRequest } from '../intake/lock-request.ts';
import { isIssuedId, issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { type PageOptions, readPage } from '../page.ts';
import { changeRows, findRow, insertRow, readNow } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { findPlacing } from './standing-holds.ts';

/** The legal holds within the caller's reach, also those that were ended, newest first. */
export async function listHolds(
  { db, vault }: Store,
  { caller, ...page }: PageOptions & { readonly caller: Caller },
): Promise<LegalHoldList> {
  const { rows, next_cursor } = await readPage(
    db.selectFrom('legal_hold').selectAll().select(holdNames).where(within(caller, 'account_id')),
    page,
  );
  await recordAccess(db, { caller, operation: 'holds.list' });
  return { items: await Promise.all(rows.map((row) => toHold(vault, row))), next_cursor };
}

interface HoldPlacing {
  readonly caller: Caller;
  /** Of what it covers: a request, or an account as a whole. */
  readonly covers: { readonly requestId: string } | { readonly accountId: string };
  readonly reason: string;
}

type PlacedHold =
  | { readonly kind: 'placed'; readonly hold: LegalHold }
  /** `not_found`: no such request or account within the caller's reach. `erased`: there is nothing left to keep. */
  | { readonly kind: 'not_found' | 'erased' };

/** Places a legal hold. An erasure that is under way ends before it, or is refused. */
export async function placeHold(store: Store, { caller, covers, reason }: HoldPlacing): Promise<PlacedHold> {
  return store.db.transaction().execute(async (trx): Promise<PlacedHold> => {
    const found = await lockCovered(trx, caller, covers);
    if (typeof found === 'string') return { kind: found };
    const { accountId, requestId } = found;
    const ref = { id: issueId('hold'), request_id: requestId };
    const encrypted = await store.vault.encrypt({ accountId }, holdPlace(ref), JSON.stringify(reason));
    const inside = { db: trx, vault: store.vault };
    await insertRow(inside, 'legal_hold', {
      ...ref,
      account_id: accountId,
      ended_at: null,
      ended_by: null,
      reason: encrypted,
      placed_by: caller.keyId,
    });
    await recordAccess(trx, {
      caller,
      operation: 'holds.place',
      subjectId: ref.id,
      ...(requestId !== null && { requestIds: [requestId] }),
      // Where the row is altered or gone, it is known from here what is held: see `keepingHolds`.
      details: { before: null, after: { account_id: accountId, request_id: requestId } },
    });
    return { kind: 'placed', hold: await toHold(store.vault, await findHold(trx, ref.id)) };
  });
}

async function lockCovered(trx: Transaction<Tables>, caller: Caller, covers: HoldPlacing['covers']) {
  if ('requestId' in covers) {
    const request = await lockRequest(trx, covers.requestId, caller);
    if (!request) return 'not_found';
    return request.erased_at ? 'erased' : { accountId: request.account_id, requestId: request.id };
  }
  const { accountId } = covers;
  if (!isIssuedId('acct', accountId)) return 'not_found';
  const { rows } = await sql`
    select from account where id = ${accountId} and ${within(caller, 'id')} for no key update`.execute(trx);
  return rows.length === 0 ? 'not_found' : { accountId, requestId: null };
}

/** `ended`: also where it was before; then it stays as it was. */
type EndedHold = { readonly kind: 'ended'; readonly hold: LegalHold } | { readonly kind: 'not_found' };

interface HoldEnd {
  readonly caller: Caller;
  readonly holdId: string;
}

/**
 * Ends a legal hold. What it kept is erased again as if it had not been; the retention within a day. One whose row was
 * altered or removed in the database is in force until it is ended here too: its row is then made again of what the audit
 * says of it, without its reason.
 */
export async function endHold({ db, vault }: Store, end: HoldEnd): Promise<EndedHold> {
  const { caller, holdId } = end;
  if (!isIssuedId('hold', holdId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<EndedHold> => {
    const inside = { db: trx, vault };
    const now = await readNow(trx);
    const [known] = await changeRows(inside, 'legal_hold', {
      is: { id: holdId },
      where: within(caller, 'account_id'),
      set: (row) => (row.ended_at ? {} : { ended_at: now, ended_by: caller.keyId }),
    });
    if (!known && !(await makeAgain(inside, end, now))) return { kind: 'not_found' };
    const hold = await findHold(trx, holdId);
    const requestIds = hold.request_id === null ? {} : { requestIds: [hold.request_id] };
    await recordAccess(trx, { caller, operation: 'holds.end', subjectId: holdId, ...requestIds });
    return { kind: 'ended', hold: await toHold(vault, hold) };
  });
}

/** Whether it was placed, within the caller's reach; its row is then there, and ended. */
async function makeAgain(
  inside: Pick<Store, 'vault'> & { readonly db: Transaction<Tables> },
  { caller, holdId }: HoldEnd,
  now: Date,
): Promise<boolean> {
  const { db } = inside;
  if (await findRow(inside, 'legal_hold', { is: { id: holdId } })) return false;
  const placing = await findPlacing(inside, holdId);
  if (!placing) return false;
  const { accountId, requestId, placedBy, placedAt } = placing;
  const reached = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where(within(caller, 'id'))
    .executeTakeFirst();
  if (!reached) return false;
  await db.deleteFrom('legal_hold').where('id', '=', holdId).execute();
  await insertRow(inside, 'legal_hold', {
    id: holdId,
    account_id: accountId,
    request_id: requestId,
    ended_at: now,
    ended_by: caller.keyId,
    reason: Buffer.alloc(0),
    placed_at: placedAt,
    placed_by: placedBy,
  });
  return true;
}

type HoldRow = Selectable<Tables['legal_hold']>;

/** Whose it is and who placed it, in words. */
const holdNames = [
  accountNameOf('legal_hold.account_id').as('account_name'),
  subjectNameOf('legal_hold.placed_by').as('placed_by_name'),
] as const;

/** A hold that this transaction wrote. */
const findHold = (trx: Transaction<Tables>, holdId: string) =>
  trx
    .selectFrom('legal_hold')
    .selectAll()
    .select(holdNames)
    .where('id', '=', holdId)
    .executeTakeFirstOrThrow();

/** Where its reason is encrypted. On another request it does not open. */
const holdPlace = ({ id, request_id: requestId }: Pick<HoldRow, 'id' | 'request_id'>): string =>
  `legal_hold.reason:${id}.${requestId ?? ''}`;

/** A row in the API's form. A reason that does not open is null, as one that was erased. */
async function toHold(
  vault: Vault,
  row: HoldRow & {
    /** JSON strings. */
    readonly account_name: string;
    readonly placed_by_name: string | null;
  },
): Promise<LegalHold> {
  const owner = { accountId: row.account_id };
  return {
    hold_id: row.id,
    request_id: row.request_id,
    account_id: row.account_id,
    account_name: JSON.parse(row.account_name) as string,
    reason:
      row.reason.length === 0
        ? null
        : await decryptOrNull(vault.decryptJson<string>(owner, holdPlace(row), row.reason)),
    placed_by: row.placed_by,
    placed_by_name: JSON.parse(row.placed_by_name ?? 'null') as string | null,
    placed_at: row.placed_at.toISOString(),
    ended_by: row.ended_by,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
