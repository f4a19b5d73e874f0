import type { HeldReason, ResponseModel } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Vault } from '../../encryption/vault.ts';
import { makeRequestEvent, writeEvents } from '../../events/write-event.ts';
import type { Evidence } from '../../evidence/attempt-evidence.ts';
import { type FoundBenefits, foundPart, type StoredBenefits } from '../../evidence/stored-benefits.ts';
import { isIssuedId, issueId } from '../../issued-id.ts';
import { LOCKS } from '../../locks.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import type { OpenedLocked } from '../apply-findings.ts';
import { findDifferences, encryptDifferences } from '../comparison/held-differences.ts';
import { heldOwner, heldPlace } from './held-encryption.ts';
import { holdAnonymousOutputFunction, holdKeyedOutputFunction } from './hold.sql.ts';

export interface OutputToHold {
  readonly output: ResponseModel;
  /** The benefits that came with it, if any. */
  readonly benefits?: StoredBenefits | undefined;
  /** Of a correction, with its reason; absent for any other output. */
  readonly evidence?: Evidence | undefined;
  readonly reason: HeldReason;
  /** The known request it names, which is locked; null when it names none. */
  readonly request: OpenedLocked | null;
  readonly caller: Caller;
  readonly capacity: HeldCapacity;
}

/**
 * Stores a verifier's complete output once: the same output held for the same reason is the existing row. Those of a
 * test account and of a live one are separate rows, so that settling one leaves the other. Anonymous senders can
 * neither fill its room nor delay it. `erased`: it, or an entry of it, names a request that was erased; nothing is stored.
 */
export async function holdOutput(
  trx: Transaction<Tables>,
  { vault }: Store,
  { output, benefits, evidence, reason, request, caller, capacity }: OutputToHold,
): Promise<{ readonly kind: 'held'; readonly heldId: string } | { readonly kind: 'erased' } | AtCapacity> {
  const text = JSON.stringify(output);
  const id = issueId('held');
  const account_id = request?.accountId ?? null;
  const ref = { id, account_id, received_by: caller.keyId, named_request_id: null };
  const body = await vault.encrypt(heldOwner(ref), heldPlace('body', ref), text);
  const saidText = benefits ? JSON.stringify(benefits) : '';
  const said = benefits ? await vault.encrypt(heldOwner(ref), heldPlace('benefits', ref), saidText) : null;
  const evidenceText = evidence ? JSON.stringify(evidence) : '';
  const why = evidence ? await vault.encrypt(heldOwner(ref), heldPlace('evidence', ref), evidenceText) : null;
  const byteCount = Buffer.byteLength(text) + Buffer.byteLength(saidText) + Buffer.byteLength(evidenceText);
  const differences =
    request &&
    (await encryptDifferences(vault, ref, await findDifferences(trx, vault, { offered: output, request })));
  const event =
    request &&
    makeRequestEvent(vault, {
      type: 'request.held',
      requestId: request.id,
      accountId: request.accountId,
      number: request.eventNumber,
      data: { held_id: id },
      occurredAt: request.occurredAt,
    });
  const { rows } = await sql<{
    held_id: string | null;
    is_erased: boolean;
  }>`select held_id, is_erased from ${sql.raw(holdKeyedOutputFunction.name)}(
    new_id => ${id}, reason => ${reason}, request_id => ${request?.id ?? null},
    new_digest => ${heldDigestOf(vault, { output, benefits, evidence, reason, caller })}, body => ${body},
    benefits => ${said}, evidence => ${why}, differences => ${differences}, new_byte_count => ${byteCount}, key_id => ${caller.keyId},
    other_ids => ${otherRequestIds(output, request?.id ?? null)},
    row_count_max => ${capacity.rowCountMax}, byte_count_max => ${capacity.byteCountMax},
    holding => ${LOCKS.holding},
    event_number => ${request?.eventNumber ?? null})`.execute(trx);
  if (rows[0]?.is_erased) return { kind: 'erased' };
  const heldId = rows[0]?.held_id;
  if (event && heldId === id) await writeEvents(trx, [event]);
  return heldId ? { kind: 'held', heldId } : { kind: 'at_capacity' };
}

/** Equal for a repeated output of the same reason and mode. */
export function heldDigestOf(
  vault: Vault,
  {
    output,
    benefits,
    evidence,
    reason,
    caller,
  }: Pick<OutputToHold, 'output' | 'evidence' | 'reason' | 'caller'> & {
    readonly benefits?: FoundBenefits | undefined;
  },
): Buffer {
  const said = benefits ? ` ${JSON.stringify(foundPart(benefits))}` : '';
  const why = evidence ? ` ${JSON.stringify(evidence)}` : '';
  const text = `${reason} ${JSON.stringify(output)}${said}${why}`;
  return vault.index('held_output.digest', caller.mode === 'live' ? text : `test ${text}`);
}

interface AnonymousOutput {
  readonly output: ResponseModel;
  /** The sender's IPv4 address, or the /64 of its IPv6 one. */
  readonly client: string | null;
  readonly heldCapacity?: HeldCapacity;
}

interface HeldAnonymously {
  readonly kind: 'held';
  readonly heldId: string;
  /** Anonymous outputs still waiting that were removed to make room. */
  readonly displacedCount: number;
}

/**
 * Stores an output without a verifier's key, once, in the share of anonymous senders.
 *
 * Its cost reveals nothing: for a known, an unknown and a malformed id it makes the same two statements and the same
 * writes, and reads only requests that were erased. It writes no entry to `access_log`, which is permanent: every
 * distinct body would add one. The held row records who and when; applying it writes the entry.
 *
 * `at_capacity`: it is larger than the whole share. `erased`: it names a request that was erased, and is not stored.
 */
export async function holdAnonymousOutput(
  store: Store,
  { output, client, heldCapacity: capacity = HELD_CAPACITY }: AnonymousOutput,
  reason: HeldReason,
): Promise<HeldAnonymously | { readonly kind: 'erased' } | AtCapacity> {
  const { db, vault } = store;
  const text = JSON.stringify(output);
  // Differs from a keyed sender's digest: a verifier's output must not be matched with a row that anonymous senders can
  // displace.
  const digest = vault.index('held_output.digest.anonymous', `${reason} ${text}`);
  const { request_id: stated } = output.request;
  const named = stated !== null && isIssuedId('req', stated) ? stated : null;
  return store.holding(async (): Promise<HeldAnonymously | { readonly kind: 'erased' } | AtCapacity> => {
    // A repeat, which costs its sender least, takes no lock and writes nothing.
    const found = await db
      .selectFrom('held_output')
      .select('id')
      .where('digest', '=', digest)
      .where('status', '=', 'held')
      .executeTakeFirst();
    if (found) return { kind: 'held', heldId: found.id, displacedCount: 0 };
    const id = issueId('held');
    const ref = { id, account_id: null, received_by: null, named_request_id: named };
    const body = await vault.encrypt(heldOwner(ref), heldPlace('body', ref), text);
    const { rows } = await sql<{ held_id: string | null; displaced: number; is_erased: boolean }>`
      select held_id, displaced, is_erased from ${sql.raw(holdAnonymousOutputFunction.name)}(
        new_id => ${id}, reason => ${reason},
        named_request_id => ${named}, other_ids => ${otherRequestIds(output, named)},
        new_digest => ${digest}, body => ${body}, new_byte_count => ${Buffer.byteLength(text)},
        of_client => ${client === null ? null : vault.index('held_output.client', client)},
        row_count_max => ${capacity.rowCountMax}, byte_count_max => ${capacity.byteCountMax},
        client_row_count_max => ${capacity.clientRowCountMax}, holding => ${LOCKS.holding})`.execute(db);
    const [held] = rows;
    if (held?.is_erased) return { kind: 'erased' };
    if (!held?.held_id) return { kind: 'at_capacity' };
    return { kind: 'held', heldId: held.held_id, displacedCount: held.displaced };
  });
}

/** Limits on held outputs, since the operation that creates them is open to anyone. */
export interface HeldCapacity {
  readonly rowCountMax: number;
  readonly byteCountMax: number;
  /** Per anonymous client. */
  readonly clientRowCountMax: number;
}

/**
 * At most half of it is for anonymous senders, whose newer outputs displace their oldest. Verifiers' keys get the rest,
 * plus the unused part of that half.
 */
export const HELD_CAPACITY: HeldCapacity = {
  rowCountMax: 10_000,
  byteCountMax: 256 * 1024 * 1024,
  clientRowCountMax: 200,
};

/** Nothing was stored: there is no room until an operator settles some outputs, or they expire. */
export interface AtCapacity {
  readonly kind: 'at_capacity';
}

/**
 * The value of `held_output.other_request_ids`: the ids in issued form that an output and its entries name, without
 * the one in its own row. Null for none.
 * @param known of its row, `request_id` or `named_request_id`.
 */
export function otherRequestIds(
  { request, insurance_data: entries }: ResponseModel,
  known: string | null,
): string[] | null {
  const named = [request.request_id, ...entries.map((entry) => entry.request_id)];
  const others = new Set(named.filter((id) => id != null && id !== known && isIssuedId('req', id)));
  return others.size === 0 ? null : ([...others] as string[]);
}
