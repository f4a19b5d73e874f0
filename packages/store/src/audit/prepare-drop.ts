import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { recordAccess } from '../access/record-access.ts';
import type { Month } from '../months/log-parts.ts';
import type { Tables } from '../tables/tables.ts';
import { archiveParts, isOver, lastIdOf, rangeOfMonth } from './archive-month.ts';
import { type BadRange, findLinesLeft, rangeOfDrop } from './check-seal.ts';
import type { SealKey, VerifierKey } from './keys.ts';
import { type DropStatement, dropText, signNote } from './note-text.ts';
import { BEFORE_ALL, firstLine } from './pages.ts';
import { readDrops, type StoredDrop, storedDrops } from './stored-drop.ts';
import { hashOfNote, lastSeal, sealAt, sealBefore, waitForSealingLock } from './stored-seal.ts';
import { verifySeals } from './verify-seals.ts';

/** The key that signs the removal of a month. */
export interface DropSigning {
  /** The key that sealed them, or one that came after it. */
  readonly key: SealKey;
  /** SHA-256 of the archive, in hexadecimal. */
  readonly archive: string;
  /** Who drops them; see `isDropper`. */
  readonly by: string;
}

/** The lines that go, and the seals that hold them. */
export interface DroppedLines {
  readonly firstId: bigint;
  readonly lastId: bigint;
  readonly firstSeal: number;
  readonly lastSeal: number;
  /** Null before it is signed. */
  readonly signed: SignedDrop | null;
}

/** Why a month's lines stay. */
export type DropRefusal =
  /** More lines may come: none of a later month is there. */
  | { readonly kind: 'not_over' }
  /** No seal of a later month is there, which would show that all of this one are sealed. */
  | { readonly kind: 'unsealed' }
  /** The lines, or those of the seals before or after them, are not as they were sealed: nothing may go, it is evidence. */
  | { readonly kind: 'not_as_sealed'; readonly range: BadRange }
  /** The archive has other lines than the database. */
  | { readonly kind: 'other_archive' };

interface ReadyDrop {
  readonly kind: 'ready';
  /** Null where the month has no line. */
  readonly lines: DroppedLines | null;
  /** Signs that they go, unless that was signed before; what it answers is null where there is nothing to sign. */
  readonly sign: () => Promise<DroppedLines | null>;
}

/**
 * Looks whether the oldest month's lines may go: they are in the archive, every one, and as they were sealed. Without
 * `signing` it only looks what they are.
 */
export async function prepareDrop(
  db: Kysely<Tables>,
  { month, signing }: { readonly month: Month; readonly signing?: DropSigning | undefined },
): Promise<ReadyDrop | DropRefusal> {
  const drops = await storedDrops(db);
  const earlier = drops.find(({ statement }) => statement?.month === month);
  if (earlier) return goOn(db, earlier, signing?.key.verifiers);
  if (!(await isOver(db, month))) return { kind: 'not_over' };
  // It was made when no earlier line could be written any more.
  if (((await lastSeal(db))?.lastId ?? BEFORE_ALL) <= lastIdOf(month)) return { kind: 'unsealed' };

  const after = drops.at(-1)?.statement?.lastSeal ?? 0;
  const found = await sealBefore(db, lastIdOf(month) + 1n);
  const last = found && found.number > after ? found : undefined;
  const linesAfter = (await sealAt(db, after))?.lastId ?? BEFORE_ALL;
  const lines = last && {
    firstId: (await firstLine(db, { after: linesAfter, through: last.lastId })) ?? linesAfter + 1n,
    lastId: last.lastId,
    firstSeal: after + 1,
    lastSeal: last.number,
    signed: null,
  };
  const ready = { kind: 'ready', lines: lines ?? null } as const;
  if (!signing) return { ...ready, sign: async () => ready.lines };
  // With the seal after them: it also shows a line that was added after the month's last one.
  const range = await findBadRange(db, signing.key.verifiers, {
    after,
    through: (last?.number ?? after) + 1,
  });
  if (range) return { kind: 'not_as_sealed', range };
  const archive = await digestOf(db, month);
  if (archive.sha256 !== signing.archive) return { kind: 'other_archive' };
  if (!last || !lines) return { ...ready, sign: async () => null };
  const { signed: _, ...ids } = lines;
  const statement = {
    ...ids,
    origin: last.statement?.origin ?? '',
    month,
    lineCount: archive.lineCount,
    sealHash: hashOfNote(last.note),
    archive: signing.archive,
  };
  return {
    ...ready,
    sign: async () => ({ ...lines, signed: await signDrop(db, { ...signing, statement }) }),
  };
}

/** What is left of a drop that broke off after it was signed. */
async function goOn(
  db: Kysely<Tables>,
  { statement, note }: StoredDrop,
  keys: readonly VerifierKey[] | undefined,
): Promise<ReadyDrop | DropRefusal> {
  // A forged record must not take the lines away, nor its own traces.
  const read = keys && (await readDrops(db, keys));
  if (read?.kind === 'bad') return { kind: 'not_as_sealed', range: rangeOfDrop(read.drop, read.fault) };
  const lines = statement ? { ...statement, signed: { statement, note } } : null;
  return { kind: 'ready', lines, sign: async () => lines };
}

/** Verifies what a drop would put out of reach; the lines of the drops before were verified then. */
async function findBadRange(
  db: Kysely<Tables>,
  keys: readonly VerifierKey[],
  seals: { readonly after: number; readonly through: number },
): Promise<BadRange | null> {
  const verdict = await verifySeals({ db }, { keys, ...seals });
  if (verdict.kind === 'bad') return verdict.range;
  const read = await readDrops(db, keys);
  return read.kind === 'read' ? findLinesLeft(db, read.drops, BEFORE_ALL) : null;
}

async function digestOf(db: Kysely<Tables>, month: Month) {
  const sha256 = createHash('sha256');
  let lineCount = 0;
  const range = await rangeOfMonth(db, month);
  if (range)
    for await (const part of archiveParts(db, range)) {
      sha256.update(part.text);
      lineCount += part.lineCount;
    }
  return { sha256: sha256.digest('hex'), lineCount };
}

/** A signed record of dropped lines. */
interface SignedDrop {
  readonly statement: DropStatement;
  readonly note: string;
}

interface Signing {
  /** All but its number, the time and who. */
  readonly statement: Omit<DropStatement, 'number' | 'at' | 'by'>;
  readonly key: SealKey;
  readonly by: string;
}

/**
 * Signs off that lines go. From here on verification takes their absence for what it is, and says so where they are
 * still there. A line of the audit records it too, which the next seal holds.
 */
async function signDrop(db: Kysely<Tables>, { statement: stated, key, by }: Signing): Promise<SignedDrop> {
  return db.transaction().execute(async (trx) => {
    // Nothing is sealed meanwhile, so that the record has its place among the seals.
    await waitForSealingLock(trx);
    const newest = await lastSeal(trx);
    const number = ((await storedDrops(trx)).at(-1)?.number ?? 0) + 1;
    const statement = { ...stated, number, at: new Date(), by };
    const note = signNote(dropText(statement), key);
    await trx
      .insertInto('audit_drop')
      .values({ number: String(number), seal_number: String(newest?.number ?? 0), note })
      .execute();
    await recordAccess(trx, { caller: null, operation: 'audit.drop' });
    return { statement, note };
  });
}
