import type { AuditSeal, AuditSealList } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { reachesSeals } from '../reaches-seals.ts';
import { toBase64 } from '../tree.ts';
import { measureUnsealed } from './measure-unsealed.ts';
import { sealsBefore, type StoredSeal } from './stored-seal.ts';

interface SealSearch {
  readonly caller: Caller;
  readonly limit: number;
  /** Only seals before this number. */
  readonly cursor?: number | undefined;
}

/** The seals of the audit, newest first, and what waits for one. */
export async function listSeals(
  { db }: Pick<Store, 'db'>,
  { caller, limit, cursor }: SealSearch,
): Promise<Omit<AuditSealList, 'verifier_keys' | 'stopped'>> {
  const isReached = reachesSeals(caller);
  // One more, which shows whether there are others and how many lines the last one has.
  const seals = isReached ? await sealsBefore(db, cursor, limit + 1) : [];
  const unsealed = isReached ? await measureUnsealed({ db }) : undefined;
  await recordAccess(db, { caller, operation: 'audit.seals' });
  const items = seals.slice(0, limit).map((seal, index) => toItem(seal, seals[index + 1]));
  return {
    items,
    next_cursor: seals.length > limit ? String(items.at(-1)?.seal) : null,
    unsealed_since: unsealed?.since?.toISOString() ?? null,
    unsealed_count: unsealed?.idCount ?? 0,
  };
}

/** A seal as its note states it: nobody has verified it here. Of a note that cannot be read the row is returned. */
function toItem({ number, lastId, note, statement }: StoredSeal, before: StoredSeal | undefined): AuditSeal {
  const treeSize = statement?.treeSize ?? 0;
  return {
    seal: number,
    sealed_at: (statement?.at ?? new Date(0)).toISOString(),
    first_id: String(statement?.firstId ?? (before?.lastId ?? 0n) + 1n),
    last_id: String(lastId),
    line_count: Math.max(treeSize - (before?.statement?.treeSize ?? 0), 0),
    tree_size: treeSize,
    misdated_count: statement?.misdatedCount ?? 0,
    root: statement ? toBase64(statement.root) : '',
    note,
  };
}
