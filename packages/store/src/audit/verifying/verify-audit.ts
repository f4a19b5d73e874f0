import type { AuditVerification } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import type { VerifierKey } from '../note/keys.ts';
import { reachesSeals } from '../reaches-seals.ts';
import { checkCatalogue } from './check-catalogue.ts';
import { findMissingHolds } from './find-missing-holds.ts';
import { toAlteredWhenSealed, toAuditDrop, toBadRange, toMissingHold } from './to-verdict.ts';
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
  const tables = reachesSeals(caller) ? await checkCatalogue(db) : [];
  const missing = reachesSeals(caller) ? await findMissingHolds(db) : [];
  const verdict = reachesSeals(caller)
    ? await verifySeals({ db }, { keys, after, lineCountMax: LINE_COUNT_MAX })
    : ({
        kind: 'verified',
        through: 0,
        sealCount: 0,
        lineCount: 0,
        misdatedCount: 0,
        altered: [],
        dropped: [],
        isEnd: true,
      } as const);
  await recordAccess(db, { caller, operation: 'audit.verify' });
  const { through, sealCount, lineCount } = verdict;
  const common = {
    verified_through: through,
    seal_count: sealCount,
    line_count: lineCount,
    dropped: verdict.dropped.map(toAuditDrop),
    bad_tables: tables,
    missing_holds: missing.map(toMissingHold),
    altered_when_sealed: verdict.altered.map(toAlteredWhenSealed),
  };
  if (verdict.kind === 'verified')
    return { ...common, bad_range: null, next_cursor: verdict.isEnd ? null : String(through) };
  return { ...common, bad_range: toBadRange(verdict.range), next_cursor: null };
}
