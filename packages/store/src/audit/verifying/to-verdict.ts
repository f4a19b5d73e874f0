import type { AuditDrop, AuditVerification } from '@insurance-verification/schema';
import type { DropStatement } from '../note/note-text.ts';
import type { BadRange } from './bad-range.ts';
import type { MissingHold } from './find-missing-holds.ts';
import type { AlteredWhenSealed } from './verify-seals.ts';

/** A record of dropped lines, in an answer's terms. */
export const toAuditDrop = (drop: DropStatement): AuditDrop => ({
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

/** A range at fault, in an answer's terms. */
export const toBadRange = (bad: BadRange): NonNullable<AuditVerification['bad_range']> => ({
  fault: bad.fault,
  seal: bad.number,
  first_id: String(bad.firstId),
  last_id: bad.lastId === null ? null : String(bad.lastId),
  sealed_count: bad.sealedCount,
  found_count: bad.foundCount,
});

/** A legal hold that vanished, in an answer's terms. */
export const toMissingHold = ({
  holdId,
  placedAt,
  requestId,
}: MissingHold): AuditVerification['missing_holds'][number] => ({
  hold_id: holdId,
  placed_at: placedAt.toISOString(),
  request_id: requestId,
});

/** Seals made while tables were not as the schema makes them, in an answer's terms. */
export const toAlteredWhenSealed = ({
  firstSeal,
  lastSeal,
  tables,
}: AlteredWhenSealed): AuditVerification['altered_when_sealed'][number] => ({
  first_seal: firstSeal,
  last_seal: lastSeal,
  tables: [...tables],
});
