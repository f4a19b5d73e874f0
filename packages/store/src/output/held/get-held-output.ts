import type { HeldOutputDetail } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { StoredBenefits } from '../../evidence/stored-benefits.ts';
import { isIssuedId } from '../../issued-id.ts';
import type { Store } from '../../open-store.ts';
import { findSealedHeld, heldOwner, heldPlace, openHeldBenefits, openHeldBody } from './held-seal.ts';
import { toHeldOutline } from './list-held-outputs.ts';

/** A held output as it is kept: the api reads its benefits. */
export interface ReadHeldOutput {
  readonly held: Omit<HeldOutputDetail, 'benefits'>;
  /** Null when it came without, or was dismissed. */
  readonly benefits: StoredBenefits | null;
}

/** `not_found`: no such held output within the caller's reach; also for malformed ids. */
export type FoundHeldOutput = ({ readonly kind: 'found' } & ReadHeldOutput) | { readonly kind: 'not_found' };

/** A held output with its body. Settled ones remain readable until they expire. */
export async function getHeldOutput(store: Store, named: NamedHeldOutput): Promise<FoundHeldOutput> {
  const found = await readHeldOutput(store, named);
  if (!found) return { kind: 'not_found' };
  await recordAccess(store.db, {
    caller: named.caller,
    operation: 'heldOutputs.get',
    subjectId: named.heldId,
    ...(found.held.request_id !== null && { requestIds: [found.held.request_id] }),
  });
  return { kind: 'found', ...found };
}

interface NamedHeldOutput {
  readonly caller: Caller;
  readonly heldId: string;
}

/** A held output within the caller's reach, without a line in the access log; null for none. */
export async function readHeldOutput(
  { db, vault }: Store,
  { caller, heldId }: NamedHeldOutput,
): Promise<ReadHeldOutput | null> {
  if (!isIssuedId('held', heldId)) return null;
  const row = await findSealedHeld(db, { caller, heldId });
  if (!row) return null;
  return {
    held: {
      ...toHeldOutline(row),
      status: row.status,
      output: await openHeldBody(vault, row),
      note: row.note && (await vault.openJson<string>(heldOwner(row), heldPlace('note', row), row.note)),
    },
    benefits: await openHeldBenefits(vault, row),
  };
}
