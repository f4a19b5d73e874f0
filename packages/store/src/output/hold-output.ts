import type { HeldReason } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { issueId } from '../issued-id.ts';
import type { ResponseModel } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables.ts';

/** How much may be held at once, since the operation that fills it is open to anyone. */
export interface HeldCapacity {
  readonly rowCountMax: number;
  readonly byteCountMax: number;
}

export const HELD_CAPACITY: HeldCapacity = { rowCountMax: 10_000, byteCountMax: 256 * 1024 * 1024 };

/** Nothing was kept: there is no room until an operator settles some, or they expire. */
export class HeldCapacityExceededError extends Error {
  override readonly name = 'HeldCapacityExceededError';
}

export interface OutputToHold {
  readonly output: ResponseModel;
  readonly reason: HeldReason;
  /** The request of ours that it names; null when it names none. */
  readonly requestId: string | null;
  readonly caller: Caller | null;
  readonly capacity: HeldCapacity;
}

/** Any number unlikely to be another lock's. */
const CAPACITY_LOCK = 7_164_305;

/**
 * Keeps an output whole, once: the same output held for the same reason is the row that is there.
 * @returns the held output's id.
 * @throws {HeldCapacityExceededError}
 */
export async function holdOutput(
  trx: Transaction<Tables>,
  { vault }: Store,
  held: OutputToHold,
): Promise<string> {
  const text = JSON.stringify(held.output);
  const digest = vault.index('held_output.digest', `${held.reason} ${text}`);
  // One at a time, so that rivals can neither pass the cap together nor insert the same digest twice.
  await sql`select pg_advisory_xact_lock(${CAPACITY_LOCK})`.execute(trx);
  const found = await trx
    .selectFrom('held_output')
    .select('id')
    .where('digest', '=', digest)
    .where('status', '=', 'held')
    .executeTakeFirst();
  if (found) return found.id;
  const byteCount = Buffer.byteLength(text);
  await assertRoom(trx, byteCount, held.capacity);
  const id = issueId('held');
  await trx
    .insertInto('held_output')
    .values({
      id,
      reason: held.reason,
      request_id: held.requestId,
      digest,
      body: await vault.seal('system', `held_output.body:${id}`, text),
      byte_count: byteCount,
      received_by: held.caller?.keyId ?? null,
    })
    .execute();
  return id;
}

async function assertRoom(
  trx: Transaction<Tables>,
  byteCount: number,
  { rowCountMax, byteCountMax }: HeldCapacity,
) {
  const { rows, bytes } = await trx
    .selectFrom('held_output')
    .select((select) => [
      select.fn.countAll<string>().as('rows'),
      select.fn.coalesce(select.fn.sum<string>('byte_count'), sql<string>`0`).as('bytes'),
    ])
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow();
  if (Number(rows) >= rowCountMax || Number(bytes) + byteCount > byteCountMax) {
    throw new HeldCapacityExceededError(`${rows} outputs are held; no more fit.`);
  }
}
