import { type FileHandle, open } from 'node:fs/promises';
import { sql, type Transaction } from 'kysely';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';

/** An erasure with a certificate, as it is kept outside of the database. It names no patient. */
export interface KeptErasure {
  /** The certificate's id, of `iv erasures`. */
  readonly erasureId: string;
  readonly requestId: string;
  readonly erasedAt: Date;
}

/** The erasures with a certificate, in a file next to the seals: a restored backup has the data again, and not the rows. */
export interface ErasureFile {
  readonly path: string;
  /** All of them, in the order in which they were written. An absent file has none; half a line is left out. */
  readonly read: () => Promise<readonly KeptErasure[]>;
  /** Adds erasures, and returns when they are on the disk. */
  readonly append: (erasures: readonly KeptErasure[]) => Promise<void>;
}

/** The file of erasures that belongs to a file of seals. */
export function openErasureFile(sealFilePath: string): ErasureFile {
  const path = `${sealFilePath}.erasures`;
  let known: { readonly size: number; readonly erasures: readonly KeptErasure[] } | undefined;
  return {
    path,
    read: async () => {
      await using file = await open(path, 'a+', 0o600);
      const { size } = await file.stat();
      // Each seal asks; only this process writes while it seals, so a file of the same size is the same.
      if (known?.size !== size) known = { size, erasures: erasuresIn(await readBytes(file, 0, size)) };
      return known.erasures;
    },
    append: async (erasures) => {
      if (erasures.length === 0) return;
      await using file = await open(path, 'a+', 0o600);
      const { size } = await file.stat();
      const end = await readBytes(file, Math.max(0, size - 1), size);
      const lines = erasures.map((one) => `${JSON.stringify(toLine(one))}\n`).join('');
      // A full disk takes half a line, and so does a machine that loses power.
      await file.appendFile(`${end === '' || end === '\n' ? '' : '\n'}${lines}`);
      await file.sync();
    },
  };
}

async function readBytes(file: FileHandle, from: number, to: number): Promise<string> {
  const bytes = Buffer.alloc(to - from);
  await file.read(bytes, 0, bytes.length, from);
  return bytes.toString('utf8');
}

const toLine = ({ erasureId, requestId, erasedAt }: KeptErasure) => ({
  erasure: erasureId,
  request: requestId,
  at: erasedAt.toISOString(),
});

const erasuresIn = (text: string): KeptErasure[] => text.split('\n').flatMap(readLine);

function readLine(line: string): KeptErasure[] {
  try {
    const { erasure, request, at } = JSON.parse(line) as Record<string, unknown>;
    const erasedAt = new Date(typeof at === 'string' ? at : Number.NaN);
    if (typeof erasure !== 'string' || typeof request !== 'string' || Number.isNaN(erasedAt.getTime()))
      return [];
    return [{ erasureId: erasure, requestId: request, erasedAt }];
  } catch {
    return [];
  }
}

/** Erasures that one seal adds to the file; the next one continues. */
const ROWS_MAX = 1_000;

/** Adds to the file the erasures that it lacks, whichever process did them. */
export async function keepErasures(trx: Transaction<Tables>, file: ErasureFile): Promise<void> {
  const kept = await file.read();
  const newest = Math.max(0, ...kept.map(({ erasedAt }) => erasedAt.getTime()));
  const { rows } = await sql<KeptErasure>`
    select id as "erasureId", request_id as "requestId", erased_at as "erasedAt" from erasure
    where erased_at > ${new Date(newest)}::timestamptz - interval '1 hour'
      and not id = any (${kept.map(({ erasureId }) => erasureId)}::text[])
    order by erased_at limit ${ROWS_MAX}`.execute(trx);
  await file.append(rows);
}

/** The erasures of a file whose requests have their data in this database: it is a restored one. */
export async function findLostErasures(
  { db }: Pick<Store, 'db'>,
  file: ErasureFile,
): Promise<readonly KeptErasure[]> {
  const kept = await file.read();
  const { rows } = await sql<{ id: string }>`
    select id from request
    where erased_at is null and id = any (${kept.map(({ requestId }) => requestId)}::text[])`.execute(db);
  const there = new Set(rows.map(({ id }) => id));
  return kept.filter(({ requestId }) => there.has(requestId));
}
