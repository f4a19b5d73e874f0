import { type Hash, HASH_BYTES } from '../tree/tree-hash.ts';

/** A dropped line of a seal that also holds lines which stay: its hash is what the seal's root needs of it. */
export interface BorderLine {
  readonly id: bigint;
  readonly hash: Hash;
}

const ID_BYTES = 8;
const LINE_BYTES = ID_BYTES + HASH_BYTES;

/** In the order of ids: of each its id in network order, and its hash. */
export function writeBorder(lines: readonly BorderLine[]): Buffer {
  const bytes = Buffer.alloc(lines.length * LINE_BYTES);
  for (const [index, { id, hash }] of lines.entries()) {
    bytes.writeBigInt64BE(id, index * LINE_BYTES);
    bytes.write(hash, index * LINE_BYTES + ID_BYTES, 'latin1');
  }
  return bytes;
}

export function readBorder(bytes: Buffer): BorderLine[] {
  const lines: BorderLine[] = [];
  for (let at = 0; at + LINE_BYTES <= bytes.length; at += LINE_BYTES)
    lines.push({
      id: bytes.readBigInt64BE(at),
      hash: bytes.toString('latin1', at + ID_BYTES, at + LINE_BYTES),
    });
  return lines;
}

/** The lines of a range, without the first bound and with the last. */
export function borderIn(
  lines: readonly BorderLine[],
  after: bigint,
  through: bigint,
): readonly BorderLine[] {
  return lines.slice(placeBehind(lines, after), placeBehind(lines, through));
}

/** How many lines have an id up to this one. */
function placeBehind(lines: readonly BorderLine[], id: bigint): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.id ?? 0n) <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
