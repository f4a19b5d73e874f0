import type { Store } from '../../open-store.ts';
import { readBorder } from '../dropped/border.ts';
import { readSealed } from '../dropped/read-sealed.ts';
import { storedDrops } from '../dropped/stored-drop.ts';
import { idOfLeaf } from '../lines/line-record.ts';
import { BEFORE_ALL } from '../lines/pages.ts';
import { writeProof } from '../note/proof-text.ts';
import { sealAt, sealOfLine } from '../sealing/stored-seal.ts';
import { proveInclusion, rootFrom } from '../tree/inclusion.ts';
import { TreeEdge } from '../tree/tree-edge.ts';
import { type Hash, hashOf } from '../tree/tree-hash.ts';

export type ProvenLine =
  /** `proof`: a text of c2sp.org/tlog-proof, with the line in it. */
  | { readonly kind: 'proven'; readonly number: number; readonly proof: string }
  | { readonly kind: 'not_found' }
  /** If there was such a line, it went with this month. */
  | { readonly kind: 'dropped'; readonly month: string }
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
  const drops = await storedDrops(db);
  if (!hasLine) {
    const drop = drops.find(
      ({ statement }) => statement && statement.firstId <= id && statement.lastId >= id,
    );
    return drop?.statement ? { kind: 'dropped', month: drop.statement.month } : { kind: 'not_found' };
  }
  if (!seal) return { kind: 'not_sealed' };
  const before = seal.number === 1 ? undefined : await sealAt(db, seal.number - 1);
  const edge = before ? before.edge : TreeEdge.empty();
  const hashes: Hash[] = [];
  let found: { readonly leaf: Buffer; readonly index: number } | undefined;
  const border = readBorder(drops.at(-1)?.border ?? Buffer.alloc(0));
  const range = { after: before?.lastId ?? BEFORE_ALL, through: seal.lastId };
  for await (const { hash, leaf } of readSealed(db, range, border)) {
    if (leaf && idOfLeaf(leaf) === id) found ??= { leaf: Buffer.from(leaf), index: hashes.length };
    hashes.push(hash);
  }
  if (!found || !edge || !seal.statement) return { kind: 'not_as_sealed', number: seal.number };
  const inclusion = await proveInclusion(edge, hashes, edge.size + found.index);
  const isAsSealed =
    inclusion.size === seal.statement.treeSize &&
    rootFrom(hashOf(found.leaf), inclusion) === seal.statement.root;
  if (!isAsSealed) return { kind: 'not_as_sealed', number: seal.number };
  return { kind: 'proven', number: seal.number, proof: writeProof(found.leaf, inclusion, seal.note) };
}
