import type { HeldReason, ResponseModel } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Vault } from '../../encryption/vault.ts';
import { type FoundBenefits, foundPart, type StoredBenefits } from '../../evidence/stored-benefits.ts';
import { issueId } from '../../issued-id.ts';
import { LOCKS } from '../../locks.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import type { OpenedRequest } from '../apply-finding.ts';
import { findDifferences, sealDifferences } from '../comparison/held-differences.ts';
import type { HeldCapacity, NoRoom } from './held-capacity.ts';
import { heldOwner, heldPlace } from './held-seal.ts';
import { holdKeyedOutputFunction } from './hold-output.sql.ts';
import { otherRequestIds } from './other-request-ids.ts';

export interface OutputToHold {
  readonly output: ResponseModel;
  /** What was handed in beside it; absent when it came without. */
  readonly benefits?: StoredBenefits | undefined;
  readonly reason: HeldReason;
  /** The known request it names, which is locked; null when it names none. */
  readonly request: OpenedRequest | null;
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
  { output, benefits, reason, request, caller, capacity }: OutputToHold,
): Promise<{ readonly kind: 'held'; readonly heldId: string } | { readonly kind: 'erased' } | NoRoom> {
  const text = JSON.stringify(output);
  const id = issueId('held');
  const account_id = request?.accountId ?? null;
  const ref = { id, account_id, received_by: caller.keyId, named_request_id: null };
  const body = await vault.seal(heldOwner(ref), heldPlace('body', ref), text);
  const saidText = benefits ? JSON.stringify(benefits) : '';
  const said = benefits ? await vault.seal(heldOwner(ref), heldPlace('benefits', ref), saidText) : null;
  const differences =
    request &&
    (await sealDifferences(vault, ref, await findDifferences(trx, vault, { offered: output, request })));
  const { rows } = await sql<{
    held_id: string | null;
    is_erased: boolean;
  }>`select held_id, is_erased from ${sql.raw(holdKeyedOutputFunction.name)}(
    new_id => ${id}, reason => ${reason}, request_id => ${request?.id ?? null},
    new_digest => ${heldDigestOf(vault, { output, benefits, reason, caller })}, body => ${body},
    benefits => ${said}, differences => ${differences}, new_byte_count => ${Buffer.byteLength(text) + Buffer.byteLength(saidText)}, key_id => ${caller.keyId},
    other_ids => ${otherRequestIds(output, request?.id ?? null)},
    row_count_max => ${capacity.rowCountMax}, byte_count_max => ${capacity.byteCountMax},
    holding => ${LOCKS.holding})`.execute(trx);
  if (rows[0]?.is_erased) return { kind: 'erased' };
  const heldId = rows[0]?.held_id;
  return heldId ? { kind: 'held', heldId } : { kind: 'no_room' };
}

/** By which a repeat is known. */
export function heldDigestOf(
  vault: Vault,
  {
    output,
    benefits,
    reason,
    caller,
  }: Pick<OutputToHold, 'output' | 'reason' | 'caller'> & { readonly benefits?: FoundBenefits | undefined },
): Buffer {
  const said = benefits ? ` ${JSON.stringify(foundPart(benefits))}` : '';
  const text = `${reason} ${JSON.stringify(output)}${said}`;
  return vault.index('held_output.digest', caller.mode === 'live' ? text : `test ${text}`);
}
