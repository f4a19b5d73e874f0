import type { AuditDrop, AuditVerification } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import type { DropStatement } from './note/drop-text.ts';
import type { VerifierKey } from './note/verifier-key.ts';
import { reachesSeals } from './reaches-seals.ts';
import { verifySeals } from './verify-seals.ts';

/** Lines of one call: half a second of reading and hashing. */
const LINE_COUNT_MAX = 50_000;

interface AuditCheck {
  readonly caller: Caller;
  readonly keys: readonly VerifierKey[];
  /** The seal up to which all is verified. */
  readonly after: number;
}

/** Verifies the next seals of the audit, for a caller who goes on until the end. */
export async function verifyAudit(
  { db }: Pick<Store, 'db'>,
  { caller, keys, after }: AuditCheck,
): Promise<AuditVerification> {
  const verdict = reachesSeals(caller)
    ? await verifySeals({ db }, { keys, after, lineCountMax: LINE_COUNT_MAX })
    : ({ kind: 'verified', through: 0, sealCount: 0, lineCount: 0, dropped: [], isEnd: true } as const);
  await recordAccess(db, { caller, operation: 'audit.verify' });
  const { through, sealCount, lineCount } = verdict;
  const told = {
    verified_through: through,
    seal_count: sealCount,
    line_count: lineCount,
    dropped: verdict.dropped.map(toDrop),
  };
  if (verdict.kind === 'verified')
    return { ...told, bad_range: null, next_cursor: verdict.isEnd ? null : String(through) };
  const { fault, number, firstId, lastId, sealedCount, foundCount } = verdict.range;
  return {
    ...told,
    bad_range: {
      fault,
      seal: number,
      first_id: String(firstId),
      last_id: lastId === null ? null : String(lastId),
      sealed_count: sealedCount,
      found_count: foundCount,
    },
    next_cursor: null,
  };
}

const toDrop = (drop: DropStatement): AuditDrop => ({
  drop: drop.number,
  month: drop.month,
  dropped_at: drop.at.toISOString(),
  dropped_by: drop.by,
  first_id: String(drop.firstId),
  last_id: String(drop.lastId),
  line_count: drop.lineCount,
  first_seal: drop.firstSeal,
  last_seal: drop.lastSeal,
  archive_sha256: drop.archive,
});
