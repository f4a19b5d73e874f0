import { readLeaf, type RecordedLine } from '../lines/line-record.ts';
import { readProof } from '../note/proof-text.ts';
import { readSealText, type SealStatement } from '../note/seal-text.ts';
import { openNote } from '../note/signed-note.ts';
import type { VerifierKey } from '../note/verifier-key.ts';
import { rootFrom } from '../tree/inclusion.ts';
import { hashOf } from '../tree/tree-hash.ts';

export type CheckedProof =
  | { readonly kind: 'proven'; readonly line: RecordedLine; readonly seal: SealStatement }
  /** The text is no proof of a line. */
  | { readonly kind: 'unreadable' }
  /** None of the keys signed its seal. */
  | { readonly kind: 'unknown_key'; readonly names: readonly string[] }
  /** The seal is not what the key signed, or the line is not in it. */
  | { readonly kind: 'forged' };

/** Checks a proof by public keys alone, without a database or a service. */
export function checkProof(text: string, keys: readonly VerifierKey[]): CheckedProof {
  const proof = readProof(text);
  const line = proof && readLeaf(proof.leaf);
  if (!proof || !line) return { kind: 'unreadable' };
  const opened = openNote(proof.note, keys);
  if (opened.kind !== 'signed') return opened;
  const seal = readSealText(opened.text);
  const root = seal && rootFrom(hashOf(proof.leaf), { ...proof, size: seal.treeSize });
  return seal && root === seal.root ? { kind: 'proven', line, seal } : { kind: 'forged' };
}
