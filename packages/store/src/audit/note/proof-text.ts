import type { Inclusion } from '../tree/inclusion.ts';
import { fromBase64, type Hash, LEAF_PREFIX, toBase64 } from '../tree/tree-hash.ts';

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';

/**
 * A proof as c2sp.org/tlog-proof writes it. What the leaf holds is its extra data, so that it is whole by itself: the path
 * leads from these bytes to the root.
 */
export function writeProof(leaf: Buffer, { index, path }: Inclusion, note: string): string {
  return [
    FIRST_LINE,
    `extra ${leaf.subarray(1).toString('base64')}`,
    `index ${index}`,
    ...path.map(toBase64),
    '',
    note,
  ].join('\n');
}

export interface ProofText {
  readonly leaf: Buffer;
  readonly index: number;
  readonly path: readonly Hash[];
  readonly note: string;
}

/** Undefined for any other text. */
export function readProof(text: string): ProofText | undefined {
  const end = text.indexOf('\n\n');
  const [first, extra, index, ...path] = text.slice(0, Math.max(end, 0)).split('\n');
  const leaf = /^extra ([A-Za-z0-9+/]+=*)$/.exec(extra ?? '')?.[1];
  const place = /^index (0|[1-9]\d{0,14})$/.exec(index ?? '')?.[1];
  if (first !== FIRST_LINE || leaf === undefined || place === undefined) return undefined;
  if (!path.every((hash) => /^[A-Za-z0-9+/]{43}=$/.test(hash))) return undefined;
  return {
    leaf: Buffer.concat([Buffer.of(LEAF_PREFIX), Buffer.from(leaf, 'base64')]),
    index: Number(place),
    path: path.map(fromBase64),
    note: text.slice(end + 2),
  };
}
