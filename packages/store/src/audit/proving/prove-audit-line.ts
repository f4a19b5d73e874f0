import type { AuditProof } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { reachesSeals } from '../reaches-seals.ts';
import { proveLine } from './prove-line.ts';

export type ProvenAuditLine =
  | { readonly kind: 'found'; readonly proof: AuditProof }
  /** No such line within the caller's reach. */
  | { readonly kind: 'not_found' };

/** The proof of one line, for a caller who may see every line. */
export async function proveAuditLine(
  { db }: Pick<Store, 'db'>,
  { caller, auditId }: { readonly caller: Caller; readonly auditId: string },
): Promise<ProvenAuditLine> {
  const proven =
    reachesSeals(caller) && /^[1-9]\d{0,17}$/.test(auditId)
      ? await proveLine({ db }, { id: BigInt(auditId) })
      : ({ kind: 'not_found' } as const);
  await recordAccess(db, { caller, operation: 'audit.prove' });
  if (proven.kind === 'not_found' || proven.kind === 'dropped') return { kind: 'not_found' };
  return {
    kind: 'found',
    proof: {
      audit_id: auditId,
      state: proven.kind,
      seal: proven.kind === 'not_sealed' ? null : proven.number,
      proof: proven.kind === 'proven' ? proven.proof : null,
    },
  };
}
