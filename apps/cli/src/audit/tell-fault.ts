import type { BadRange, NoteFault } from '@insurance-verification/store';

/** `1 line`, `312,440 lines`. */
export const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** What is wrong with a range, in one sentence. */
export function tellRange({ fault, number, firstId, lastId, sealedCount, foundCount }: BadRange): string {
  const range = lastId === null ? `the lines from ${firstId} on` : `the lines ${firstId} to ${lastId}`;
  const counts = `${counted(sealedCount ?? 0, 'line')} of ${firstId} to ${lastId} were sealed, ${foundCount ?? 0} are there`;
  const sentences: Record<BadRange['fault'], string> = {
    missing_seal: `Seal ${number} is gone, of ${range}.`,
    forged: `Seal ${number}, of ${range}, is not what its key signed: somebody changed it.`,
    unknown_key: `Seal ${number}, of ${range}, is signed by none of these keys. If the service has had several, give each.`,
    broken_chain: `Seal ${number}, of ${range}, does not follow from the one before: one of the two was made anew.`,
    lines_removed: `Seal ${number}: lines were removed. ${counts}.`,
    lines_added: `Seal ${number}: lines were added. ${counts}.`,
    lines_changed: `Seal ${number}: of ${range}, at least one is not as it was written.`,
  };
  return sentences[fault];
}

/** What is wrong with a copy of a seal, in one sentence. */
export function tellCopy(fault: NoteFault, seal: number | null): string {
  const sentences: Record<NoteFault, string> = {
    absent: `Seal ${seal} of the copy is not in the database: the newest lines were cut off with their seals, or a failover or a restored backup lost them.`,
    differs: `Seal ${seal} of the copy is another than the database's: one of them was made anew.`,
    forged: 'A seal of the copy is not what its key signed: somebody changed the file.',
    unknown_key:
      'A seal of the copy is signed by none of these keys. If the service has had several, give each.',
  };
  return sentences[fault];
}
