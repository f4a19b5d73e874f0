import type { Store } from '../../open-store.ts';
import type { Month } from '../../partitions/month.ts';
import type { SealKey } from '../note/seal-key.ts';
import { rangeOfDrop } from '../verifying/bad-range.ts';
import { type PlannedDrop, planDrop } from './plan-drop.ts';
import { type DropPreparation, findBadRange, prepareDrop } from './prepare-drop.ts';
import { type SignedDrop, signDrop } from './sign-drop.ts';
import { readDrops, type StoredDrop } from './stored-drop.ts';

/** What signs that a month's lines of the audit go. */
export interface DropSigning {
  /** The key that sealed them, or one that came after it. */
  readonly key: SealKey;
  /** SHA-256 of the archive, in hexadecimal. */
  readonly archive: string;
  /** Who drops them; see `isDropper`. */
  readonly by: string;
}

/** What goes of the audit. */
export interface AuditDrop {
  readonly firstId: bigint;
  readonly lastId: bigint;
  /** The seals that hold the lines. */
  readonly firstSeal: number;
  readonly lastSeal: number;
  /** Null before it is signed. */
  readonly signed: SignedDrop | null;
}

/** Why a month's lines of the audit stay. */
export type AuditRefusal =
  | Extract<PlannedDrop, { kind: 'unsealed' }>
  | Exclude<DropPreparation, { kind: 'prepared' }>;

interface Ready {
  readonly kind: 'ready';
  /** Null where the month has no line. */
  readonly told: AuditDrop | null;
  /** Signs that it goes; what it answers is null where there is nothing to sign. */
  readonly sign: () => Promise<AuditDrop | null>;
}

/** Looks whether a month's lines of the audit may go; without `signing` only what they are. */
export async function prepareAudit(
  db: Store['db'],
  { month, signing }: { readonly month: Month; readonly signing: DropSigning | undefined },
): Promise<Ready | AuditRefusal> {
  const planned = await planDrop(db, month);
  if (planned.kind === 'unsealed') return planned;
  const keys = signing?.key.verifiers ?? [];
  const ready = (told: AuditDrop | null): Ready => ({ kind: 'ready', told, sign: async () => told });
  if (planned.kind === 'signed') {
    // A forged record must not take the lines away, nor its own traces.
    const read = signing && (await readDrops(db, keys));
    if (read?.kind === 'bad') return { kind: 'not_as_sealed', range: rangeOfDrop(read.drop, read.fault) };
    return ready(toldOf(planned.drop));
  }
  if (planned.kind === 'no_lines') {
    // A table that somebody has detached may hold the lines that verification misses.
    const bad = signing && (await findBadRange(db, { keys, before: planned.before }));
    return bad ? { kind: 'not_as_sealed', range: bad } : ready(null);
  }
  const { lines, firstSeal, lastSeal } = planned.plan;
  const told = {
    firstId: lines.firstId,
    lastId: lines.lastId,
    firstSeal: firstSeal.number,
    lastSeal: lastSeal.number,
    signed: null,
  };
  if (!signing) return ready(told);
  const prepared = await prepareDrop(db, { plan: planned.plan, keys, archive: signing.archive });
  if (prepared.kind !== 'prepared') return prepared;
  const sign = async () => ({
    ...told,
    signed: await signDrop(db, { prepared: prepared.prepared, key: signing.key, by: signing.by }),
  });
  return { kind: 'ready', told, sign };
}

function toldOf({ statement, note }: StoredDrop): AuditDrop | null {
  if (!statement) return null;
  const { firstId, lastId, firstSeal, lastSeal } = statement;
  return { firstId, lastId, firstSeal, lastSeal, signed: { statement, note } };
}
