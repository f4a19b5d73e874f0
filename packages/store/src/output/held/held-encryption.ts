import type { ResponseModel } from '@insurance-verification/schema';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { subjectNameOf } from '../../access/subject-name.ts';
import type { KeyOwner, Vault } from '../../encryption/vault.ts';
import type { Evidence } from '../../evidence/attempt-evidence.ts';
import { ofDay, type StoredBenefits } from '../../evidence/stored-benefits.ts';
import { openRequestInfo, openServiceDate } from '../../intake/read-request.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';

/** The fields that decide which account a held output belongs to, and who may access it. */
export interface HeldRef {
  readonly id: string;
  /** The account of its `request_id`; null without one. */
  readonly account_id: string | null;
  readonly received_by: string | null;
  readonly named_request_id: string | null;
}

/** The request's account; the system for an output of no known request, and of a sender without a key. */
export const heldOwner = ({ account_id: accountId }: Pick<HeldRef, 'account_id'>): KeyOwner =>
  accountId === null ? 'system' : { accountId };

/** The place binds the sender and the named request: with another one the value does not open. */
export const heldPlace = (
  column: 'body' | 'benefits' | 'evidence' | 'differences' | 'note',
  { id, received_by: sender, named_request_id: named }: HeldRef,
): string => `held_output.${column}:${id}.${sender ?? ''}.${named ?? ''}`;

const accountOfRequest = sql<string | null>`(
  select request.account_id from request where request.id = held_output.request_id)`;

/** Selects the held outputs within the caller's reach, with the fields that encryption needs. */
export function heldRefs(db: Store['db'], caller: Caller) {
  return db
    .selectFrom('held_output')
    .select(['held_output.id', 'received_by', 'named_request_id', 'reason'])
    .select(namedRequest.as('request_id'))
    .select(accountOfRequest.as('account_id'))
    .where(heldWithin(caller));
}

/** A held output with all the fields that decryption needs. */
interface EncryptedHeld
  extends
    HeldRef,
    Pick<HeldColumns, 'reason' | 'received_at' | 'status' | 'note' | 'body' | 'benefits' | 'evidence'> {
  readonly request_id: string | null;
  /** The name of the key or person, as a JSON string; null without one. */
  readonly received_by_name: string | null;
  /** Of the request that a sender without a key names; null if it does not exist. */
  readonly named_account_id: string | null;
  readonly named_input: Buffer | null;
  readonly named_erased_at: Date | null;
  /** Of its request; null without one. */
  readonly service_date: Buffer | null;
}

type HeldColumns = Selectable<Tables['held_output']>;

/** A held output within the caller's reach. */
export async function findEncryptedHeld(
  db: Store['db'],
  { caller, heldId }: { readonly caller: Caller; readonly heldId: string },
): Promise<EncryptedHeld | undefined> {
  const [found] = await readEncryptedHeld(db, { caller, heldIds: [heldId] });
  return found;
}

/** Those of the held outputs that are within the caller's reach, in any order. */
export function readEncryptedHeld(
  db: Store['db'],
  { caller, heldIds }: { readonly caller: Caller; readonly heldIds: readonly string[] },
): Promise<EncryptedHeld[]> {
  return heldRefs(db, caller)
    .leftJoin('request as named', 'named.id', 'held_output.named_request_id')
    .select(subjectNameOf('received_by').as('received_by_name'))
    .select(['held_output.received_at', 'status', 'note', 'body', 'benefits', 'evidence'])
    .select([
      'named.account_id as named_account_id',
      'named.input as named_input',
      'named.erased_at as named_erased_at',
    ])
    .select((eb) =>
      eb
        .selectFrom('request')
        .select('request.service_date')
        .whereRef('request.id', '=', 'held_output.request_id')
        .as('service_date'),
    )
    .where(sql<boolean>`held_output.id = any (${heldIds})`)
    .execute();
}

/**
 * The request that an anonymous sender names is not looked up on arrival. So it must decrypt as the account's:
 * otherwise an output that SQL pointed to another account's request would be shown to that account.
 * @throws {DecryptionError}
 */
export async function openHeldBody(vault: Vault, row: EncryptedHeld): Promise<ResponseModel> {
  const { named_request_id: id, named_account_id: account_id, named_input: input } = row;
  if (id !== null && account_id !== null && input !== null && row.named_erased_at === null)
    await openRequestInfo(vault, { id, account_id, input });
  return vault.decryptJson<ResponseModel>(heldOwner(row), heldPlace('body', row), row.body);
}

/** The benefits that came with the output; null when it came without, or was dismissed. @throws {DecryptionError} */
export async function openHeldBenefits(vault: Vault, row: EncryptedHeld): Promise<StoredBenefits | null> {
  if (row.benefits === null) return null;
  const benefits = await vault.decryptJson<StoredBenefits>(
    heldOwner(row),
    heldPlace('benefits', row),
    row.benefits,
  );
  const { request_id: id, account_id, service_date } = row;
  if (id === null || account_id === null) return benefits;
  return ofDay(benefits, await openServiceDate(vault, { id, account_id, service_date }));
}

/** The evidence of a correction; null for any other output. @throws {DecryptionError} */
export async function openHeldEvidence(
  vault: Vault,
  row: HeldRef & Pick<HeldColumns, 'evidence'>,
): Promise<Evidence | null> {
  return (
    row.evidence && vault.decryptJson<Evidence>(heldOwner(row), heldPlace('evidence', row), row.evidence)
  );
}

/** Why it was dismissed; null where nothing says it. @throws {DecryptionError} */
export async function openHeldNote(
  vault: Vault,
  row: HeldRef & Pick<HeldColumns, 'note'>,
): Promise<string | null> {
  return row.note && vault.decryptJson<string>(heldOwner(row), heldPlace('note', row), row.note);
}

/**
 * The existing request that a held output names; null for none. An anonymous sender's claim is resolved only when an
 * operator reads it: resolving it on arrival would reveal to the sender whether the request exists.
 */
export const namedRequest = sql<string | null>`coalesce(held_output.request_id,
  (select request.id from request where request.id = held_output.named_request_id))`;

/**
 * The held outputs that an operator may access. A test account's operator: those about a test account's request, and
 * those about no known request that a test account's key submitted. Anonymous outputs about no known request count as
 * live, and so do those that came after their request was erased, since no record of its account remains.
 */
export function heldWithin(caller: Caller): RawBuilder<boolean> {
  const { mode, onlyMode } = caller;
  if (mode === 'test') return heldOfTest(caller);
  if (onlyMode === undefined) return sql<boolean>`true`;
  const ofTest = heldOfTest({ ...caller, onlyMode: 'test' });
  return onlyMode === 'test' ? ofTest : sql<boolean>`not ${ofTest}`;
}

function heldOfTest(caller: Caller): RawBuilder<boolean> {
  return sql<boolean>`case when ${namedRequest} is null
    then exists (
      select from api_key
      where api_key.id = held_output.received_by and ${within(caller, 'api_key.account_id')}
    ) else exists (
      select from request where request.id = ${namedRequest} and request.erased_at is null and ${within(caller, 'request.account_id')}
    ) end`;
}
