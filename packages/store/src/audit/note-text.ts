import { sign, verify } from 'node:crypto';
import type { SealKey, VerifierKey } from './keys.ts';
import { fromBase64, type Hash, toBase64 } from './tree.ts';

/** What a seal states, and its key signs. */
export interface SealStatement {
  /** The name of the key of the first seal: it names the log, also when the key changes. */
  readonly origin: string;
  /** Lines of the audit up to the end of this range. */
  readonly treeSize: number;
  readonly root: Hash;
  /** From 1, without a gap. */
  readonly number: number;
  /** The range of ids; some ids were never lines. */
  readonly firstId: bigint;
  readonly lastId: bigint;
  readonly at: Date;
  /** Lines that were written before are in it or an earlier one; null where a longer past is being sealed in parts. */
  readonly settledAt: Date | null;
  /** Lines whose time is not when they were written; see `isMisdated`. */
  readonly misdatedCount: number;
  /** The tables that were not as the schema makes them when it was made; see `wordsOf`. */
  readonly tables: readonly string[];
  /** SHA-256 of the note before; null in the first. */
  readonly previous: Hash | null;
}

/**
 * The text of a seal's note: a checkpoint of c2sp.org/tlog-checkpoint, with the range, the times and the seal before in
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
    `settled ${seal.settledAt?.toISOString() ?? 'none'}`,
    `misdated ${seal.misdatedCount}`,
    `tables ${seal.tables.length === 0 ? 'as-made' : seal.tables.join(' ')}`,
    `previous ${seal.previous === null ? 'none' : toBase64(seal.previous)}`,
    '',
  ].join('\n');
}

const HASH = '([A-Za-z0-9+/]{43}=)';
const TIME = String.raw`(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)`;
const SEAL_TEXT = new RegExp(
  [
    String.raw`^(\S+)`,
    String.raw`(\d{1,15})`,
    HASH,
    String.raw`seal (\d{1,15})`,
    String.raw`lines (\d{1,19})-(\d{1,19})`,
    `time ${TIME}`,
    `settled (?:none|${TIME})`,
    String.raw`misdated (\d{1,15})`,
    String.raw`tables (?:as-made|([\w:+]+(?: [\w:+]+)*))`,
    `previous (?:none|${HASH})\n$`,
  ].join(String.raw`\n`),
);

/** Undefined for any other text. */
export function readSealText(text: string): SealStatement | undefined {
  const found = SEAL_TEXT.exec(text);
  if (!found) return undefined;
  const [, origin = '', treeSize, root = '', number, firstId = '', lastId = '', ...others] = found;
  const [time = '', settled, misdatedCount, tables, previous] = others;
  const at = new Date(time);
  const settledAt = settled === undefined ? null : new Date(settled);
  if (Number.isNaN(at.getTime()) || Number.isNaN(settledAt?.getTime() ?? 0)) return undefined;
  return {
    origin,
    treeSize: Number(treeSize),
    root: fromBase64(root),
    number: Number(number),
    firstId: BigInt(firstId),
    lastId: BigInt(lastId),
    at,
    settledAt,
    misdatedCount: Number(misdatedCount),
    tables: tables?.split(' ') ?? [],
    previous: previous === undefined ? null : fromBase64(previous),
  };
}

/** What the record of dropped lines states, and the key that seals the audit signs. */
export interface DropStatement {
  /** The log's name, as its seals state it. */
  readonly origin: string;
  /** From 1, without a gap. */
  readonly number: number;
  /** The month that the lines went with, as 2026-11. */
  readonly month: string;
  readonly lineCount: number;
  /** The lowest and the highest id of them. */
  readonly firstId: bigint;
  readonly lastId: bigint;
  /** The seals that hold them, and no other line. */
  readonly firstSeal: number;
  readonly lastSeal: number;
  /** SHA-256 of the last one's note, which names all before it: the record is true only in this log. */
  readonly sealHash: Hash;
  /** SHA-256 of the archive that has the lines, in hexadecimal. */
  readonly archive: string;
  readonly at: Date;
  /** Who dropped them, as they call themselves. */
  readonly by: string;
}

/** The text of a drop's note. Its second line is no number, so it never passes for a seal's. */
export function dropText(drop: DropStatement): string {
  return [
    drop.origin,
    `drop ${drop.number}`,
    `month ${drop.month}`,
    `lines ${drop.firstId}-${drop.lastId}`,
    `count ${drop.lineCount}`,
    `seals ${drop.firstSeal}-${drop.lastSeal} ${toBase64(drop.sealHash)}`,
    `archive ${drop.archive}`,
    `time ${drop.at.toISOString()}`,
    `by ${drop.by}`,
    '',
  ].join('\n');
}

/** Whether a name fits into the one line that it has. */
export const isDropper = (by: string): boolean => /^[^\p{C}\p{Z}](?:[^\p{C}]{0,98}[^\p{C}\p{Z}])?$/u.test(by);

const DROP_TEXT = new RegExp(
  [
    String.raw`^(\S+)`,
    String.raw`drop (\d{1,15})`,
    String.raw`month (\d{4}-\d\d)`,
    String.raw`lines (-?\d{1,19})-(-?\d{1,19})`,
    String.raw`count (\d{1,15})`,
    String.raw`seals (\d{1,15})-(\d{1,15}) ${HASH}`,
    'archive ([0-9a-f]{64})',
    String.raw`time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)`,
    'by ([^\\n]+)\n$',
  ].join(String.raw`\n`),
);

/** Undefined for any other text. */
export function readDropText(text: string): DropStatement | undefined {
  const found = DROP_TEXT.exec(text);
  if (!found) return undefined;
  const [, origin = '', number, month = '', firstId = '', lastId = '', lineCount, ...others] = found;
  const [firstSeal, lastSeal, sealHash = '', archive = '', time = '', by = ''] = others;
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return undefined;
  return {
    origin,
    number: Number(number),
    month,
    lineCount: Number(lineCount),
    firstId: BigInt(firstId),
    lastId: BigInt(lastId),
    firstSeal: Number(firstSeal),
    lastSeal: Number(lastSeal),
    sealHash: fromBase64(sealHash),
    archive,
    at,
    by,
  };
}

/** Between the text and its signatures. */
const BETWEEN = '\n\n';

/** Signs a text that ends in a newline, as a note of c2sp.org/signed-note. */
export function signNote(text: string, { privateKey, verifier }: SealKey): string {
  const signature = Buffer.concat([
    Buffer.from(verifier.id, 'hex'),
    sign(null, Buffer.from(text), privateKey),
  ]);
  return `${text}\n— ${verifier.name} ${signature.toString('base64')}\n`;
}

type OpenedNote =
  | { readonly kind: 'signed'; readonly text: string }
  /** One of the keys is named, and did not sign this. */
  | { readonly kind: 'forged' }
  /** No signature is by any of the keys. */
  | { readonly kind: 'unknown_key'; readonly names: readonly string[] };

/** The text of a note that one of the keys has signed. */
export function openNote(note: string, keys: readonly VerifierKey[]): OpenedNote {
  const end = note.lastIndexOf(BETWEEN);
  const text = note.slice(0, end + 1);
  const signatures = note
    .slice(end + BETWEEN.length)
    .split('\n')
    .map((line) => /^— (\S+) ([A-Za-z0-9+/]+=*)$/.exec(line))
    .map((found) => ({ name: found?.[1] ?? '', bytes: Buffer.from(found?.[2] ?? '', 'base64') }))
    .filter(({ name }) => name !== '');
  let isSigned = false;
  for (const { name, bytes } of signatures) {
    const key = keys.find((one) => one.name === name && one.id === bytes.subarray(0, 4).toString('hex'));
    if (!key) continue;
    if (!verify(null, Buffer.from(text), key.key, bytes.subarray(4))) return { kind: 'forged' };
    isSigned = true;
  }
  if (isSigned) return { kind: 'signed', text };
  return signatures.length === 0
    ? { kind: 'forged' }
    : { kind: 'unknown_key', names: signatures.map(({ name }) => name) };
}
