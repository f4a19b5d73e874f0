import type { DropFault, StoredDrop } from '../dropped/stored-drop.ts';
import type { StoredSeal } from '../sealing/stored-seal.ts';

/**
 * What is wrong with a range. `missing_seal`: its seals are gone. `forged`: the note is not what a key signed, or the
 * row says something else. `unknown_key`: none of the keys signed it. `broken_chain`: it does not go on from the seal
 * before. `lines_removed`, `lines_added`, `lines_changed`: its lines are not those that were sealed; as many, fewer or
 * more. `drop_forged`, `drop_unknown_key`: the record that its lines were dropped is not what a key signed, or of
 * another log; none of the keys signed it. `lines_left`: its lines are signed off as dropped, and some are there.
 */
export type SealFault =
  | 'missing_seal'
  | 'forged'
  | 'unknown_key'
  | 'broken_chain'
  | 'lines_removed'
  | 'lines_added'
  | 'lines_changed'
  | 'drop_forged'
  | 'drop_unknown_key'
  | 'lines_left';

/** The first altered range. */
export interface BadRange {
  readonly fault: SealFault;
  /** The seal at fault; of missing ones, and of a record's, the first. */
  readonly number: number;
  readonly firstId: bigint;
  /** Null where no seal says. */
  readonly lastId: bigint | null;
  /** As it was sealed, and as it is now; null where lines were not compared. */
  readonly sealedCount: number | null;
  readonly foundCount: number | null;
}

const uncompared = { sealedCount: null, foundCount: null };

/** A range whose seal is not there. */
export const missingAfter = (before: StoredSeal | undefined, number: number): BadRange => ({
  fault: 'missing_seal',
  number,
  firstId: (before?.lastId ?? 0n) + 1n,
  lastId: null,
  ...uncompared,
});

/** As the row states it, where the note cannot be read. */
export const rangeOf = ({ number, statement, lastId }: StoredSeal, fault: SealFault): BadRange => ({
  fault,
  number,
  firstId: statement?.firstId ?? 0n,
  lastId,
  ...uncompared,
});

/** As the record states it, where it can be read. */
export const rangeOfDrop = ({ statement }: StoredDrop, fault: DropFault): BadRange => ({
  fault: `drop_${fault}`,
  number: statement?.firstSeal ?? 1,
  firstId: statement?.firstId ?? 1n,
  lastId: statement?.lastId ?? null,
  ...uncompared,
});
