import type { Store } from '../open-store.ts';
import { readLeaf } from './lines/line-record.ts';
import { BEFORE_ALL } from './lines/pages.ts';
import { readLeaves } from './lines/read-leaves.ts';
import { writeProof } from './note/proof-text.ts';
import { sealAt, sealOfLine } from './stored-seal.ts';
import { proveInclusion, rootFrom } from './tree/inclusion.ts';
import { TreeEdge } from './tree/tree-edge.ts';
import { type Hash, hashOf } from './tree/tree-hash.ts';

export type ProvenLine =
  /** `proof`: a text of c2sp.org/tlog-proof, with the line in it. */
  | { readonly kind: 'proven'; readonly number: number; readonly proof: string }
  | { readonly kind: 'not_found' }
  /** The line is there, and its seal comes within seconds. */
  | { readonly kind: 'not_sealed' }
  /** Its range is not as it was sealed. */
  | { readonly kind: 'not_as_sealed'; readonly number: number };

/** Proves that one line is among those that were sealed, by the way from it to the root that the seal's key signed. */
export async function proveLine(
  { db }: Pick<Store, 'db'>,
  { id }: { readonly id: bigint },
): Promise<ProvenLine> {
  const seal = await sealOfLine(db, id);
  const hasLine = await db
    .selectFrom('access_log')
    .select('id')
    .where('id', '=', String(id))
    .executeTakeFirst();
  if (!hasLine) return { kind: 'not_found' };
  if (!seal) return { kind: 'not_sealed' };
  const before = seal.number === 1 ? undefined : await sealAt(db, seal.number - 1);
  const edge = before ? before.edge : TreeEdge.empty();
  const hashes: Hash[] = [];
  let found: { readonly leaf: Buffer; readonly index: number } | undefined;
  for await (const leaf of readLeaves(db, { after: before?.lastId ?? BEFORE_ALL, through: seal.lastId })) {
    if (readLeaf(leaf)?.id === String(id)) found ??= { leaf: Buffer.from(leaf), index: hashes.length };
    hashes.push(hashOf(leaf));
  }
  if (!found || !edge || !seal.statement) return { kind: 'not_as_sealed', number: seal.number };
  const inclusion = proveInclusion(edge, hashes, edge.size + found.index);
  const isAsSealed =
    inclusion.size === seal.statement.treeSize &&
    rootFrom(hashOf(found.leaf), inclusion) === seal.statement.root;
  if (!isAsSealed) return { kind: 'not_as_sealed', number: seal.number };
  return { kind: 'proven', number: seal.number, proof: writeProof(found.leaf, inclusion, seal.note) };
}
