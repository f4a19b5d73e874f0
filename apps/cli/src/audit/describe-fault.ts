import type {
  AlteredWhenSealed,
  BadRange,
  BadTable,
  DropStatement,
  MissingHold,
  NoteFault,
  ResumeStatement,
} from '@insurance-verification/store';

/** A copy that is not what the database has. */
export interface BadCopy {
  readonly fault: NoteFault;
  readonly of: 'seal' | 'drop' | 'resume';
  readonly number: number | null;
}

/** `1 line`, `312,440 lines`. */
export const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** The fault of a range, in one sentence. */
export function describeRange({ fault, number, firstId, lastId, sealedCount, foundCount }: BadRange): string {
  const range = lastId === null ? `the lines from ${firstId} on` : `the lines ${firstId} to ${lastId}`;
  const counts = `${counted(sealedCount ?? 0, 'line')} of ${firstId} to ${lastId} were sealed, ${foundCount ?? 0} are there`;
  const sentences: Record<BadRange['fault'], string> = {
    missing_seal: `Seal ${number} is gone, of ${range}.`,
    forged: `Seal ${number}, of ${range}, is not what its key signed: it was changed.`,
    unknown_key: `Seal ${number}, of ${range}, is signed by none of these keys. If the service has had several, give each.`,
    broken_chain: `Seal ${number}, of ${range}, does not follow from the one before: one of the two was made again.`,
    lines_removed: `Seal ${number}: lines were removed. ${counts}.`,
    lines_added: `Seal ${number}: lines were added. ${counts}.`,
    lines_changed: `Seal ${number}: of ${range}, at least one is not as it was written.`,
    drop_forged: `The record that ${range} were dropped is not what its key signed, or is another log's: it was made or changed by another.`,
    drop_unknown_key: `The record that ${range} were dropped is signed by none of these keys. If the service has had several, give each.`,
    lines_left: `Seal ${number}: ${range} are signed off as dropped, and ${counted(foundCount ?? 0, 'line')} of them ${foundCount === 1 ? 'is' : 'are'} there. The drop is under way or broke off, and the same command ends it; or they were put back.`,
  };
  return sentences[fault];
}

/** Which lines were dropped, when and by whom, and what is left of them, in two sentences. */
export function describeDrop(drop: DropStatement): string {
  const range = `Lines ${drop.firstId} to ${drop.lastId} (${counted(drop.lineCount, 'line')} of ${drop.month})`;
  const seals =
    drop.firstSeal === drop.lastSeal
      ? `seal ${drop.firstSeal}`
      : `seals ${drop.firstSeal} to ${drop.lastSeal}`;
  const day = drop.at.toISOString().slice(0, 10);
  return `${range} were dropped on ${day} by ${drop.by}, sealed as ${seals}. Their archive has the SHA-256 ${drop.archive}.`;
}

/** The fault of a table, in one sentence. */
export function describeTable({ table, fault }: BadTable): string {
  const sentences: Record<BadTable['fault'], string> = {
    not_plain:
      'is not the plain table that the schema makes: what it shows may be something else than what was written.',
    row_security: 'has row security on: it may leave rows out.',
    policies: 'has policies: it may leave rows out.',
    rules: 'has rules: what is written or read may be something else.',
    trigger_off: 'does not refuse changes: its trigger is off, gone or another.',
    other_trigger: 'has a trigger that the schema does not make.',
  };
  return `The table ${table} ${sentences[fault]}`;
}

/** Which legal hold vanished, in a sentence. */
export function describeMissingHold({ holdId, placedAt, requestId }: MissingHold): string {
  const covered = requestId === null ? 'an account' : requestId;
  return `The legal hold ${holdId} on ${covered}, placed ${placedAt.toISOString()}, was not ended, and its row is gone or altered. The service still keeps what it held; iv holds end ${holdId} ends it.`;
}

/** Which seals were made while tables were not as the schema makes them, in a sentence. */
export function describeAltered({ firstSeal, lastSeal, tables }: AlteredWhenSealed): string {
  const seals = firstSeal === lastSeal ? `Seal ${firstSeal} was` : `Seals ${firstSeal} to ${lastSeal} were`;
  return `${seals} made while tables were not as the schema makes them (${tables.join(', ')}): lines may have been kept from being written. Verify what follows with --after ${lastSeal}.`;
}

/** The seal after which sealing was resumed, when and by whom, and what was given up, in a sentence. */
export function describeResume({ number, givenUp, at, by, reason }: ResumeStatement): string {
  const place = number === 0 ? 'from the beginning' : `after seal ${number}`;
  const gone =
    givenUp > number ? ` Seals ${number + 1} to ${givenUp} of the file are given up with their lines.` : '';
  return `Sealing was resumed ${place} on ${at.toISOString().slice(0, 10)} by ${by}: ${reason}.${gone}`;
}

/** The fault of a copy of a seal, or of a drop's record, in one sentence. */
export function describeCopy({ fault, of, number }: BadCopy): string {
  const absent = {
    seal: `Seal ${number} of the copy is not in the database: the newest lines were cut off with their seals, or a failover or a restored backup lost them.`,
    resume: '', // it is only in the file
    drop: `The record ${number} of dropped lines is in the copy and not in the database: it was removed, or a failover or a restored backup lost it.`,
  };
  const what = {
    seal: `Seal ${number}`,
    drop: `The record ${number} of dropped lines`,
    resume: `The record that sealing was resumed after seal ${number}`,
  }[of];
  const sentences: Record<NoteFault, string> = {
    absent: absent[of],
    differs: `${what} of the copy is another than the database's: one of them was made again.`,
    forged: 'A note of the copy is not what its key signed: the file was changed.',
    unknown_key:
      'A note of the copy is signed by none of these keys. If the service has had several, give each.',
  };
  return sentences[fault];
}
