import { fromBase64, type Hash, toBase64 } from '../tree/tree-hash.ts';

/** What a seal states, and its key signs. */
export interface SealStatement {
  /** The name of the key of the first seal: it names the log, also when the key changes. */
  readonly origin: string;
  /** Lines of the audit up to the end of this range. */
  readonly treeSize: number;
  readonly root: Hash;
  /** From 1, without a gap. */
  readonly number: number;
  /** The range: ids, of which some were never lines. */
  readonly firstId: bigint;
  readonly lastId: bigint;
  readonly at: Date;
  /** SHA-256 of the note before; null in the first. */
  readonly previous: Hash | null;
}

/**
 * The text of a seal's note: a checkpoint of c2sp.org/tlog-checkpoint, with the range, the time and the seal before in
 * extension lines.
 */
export function sealText(seal: SealStatement): string {
  return [
    seal.origin,
    seal.treeSize,
    toBase64(seal.root),
    `seal ${seal.number}`,
    `lines ${seal.firstId}-${seal.lastId}`,
    `time ${seal.at.toISOString()}`,
    `previous ${seal.previous === null ? 'none' : toBase64(seal.previous)}`,
    '',
  ].join('\n');
}

const HASH = '([A-Za-z0-9+/]{43}=)';
const TEXT = new RegExp(
  [
    String.raw`^(\S+)`,
    String.raw`(\d{1,15})`,
    HASH,
    String.raw`seal (\d{1,15})`,
    String.raw`lines (\d{1,19})-(\d{1,19})`,
    String.raw`time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)`,
    `previous (?:none|${HASH})\n$`,
  ].join(String.raw`\n`),
);

/** Undefined for any other text. */
export function readSealText(text: string): SealStatement | undefined {
  const found = TEXT.exec(text);
  if (!found) return undefined;
  const [, origin = '', treeSize, root = '', number, firstId = '', lastId = '', time = '', previous] = found;
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return undefined;
  return {
    origin,
    treeSize: Number(treeSize),
    root: fromBase64(root),
    number: Number(number),
    firstId: BigInt(firstId),
    lastId: BigInt(lastId),
    at,
    previous: previous === undefined ? null : fromBase64(previous),
  };
}
