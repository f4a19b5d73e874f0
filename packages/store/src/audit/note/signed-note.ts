import { sign, verify } from 'node:crypto';
import type { SealKey, VerifierKey } from './keys.ts';

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

export type OpenedNote =
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
