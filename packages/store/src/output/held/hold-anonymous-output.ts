import type { HeldReason, ResponseModel } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { isIssuedId, issueId } from '../../issued-id.ts';
import { LOCKS } from '../../locks.ts';
import type { Store } from '../../open-store.ts';
import { HELD_CAPACITY, type HeldCapacity, type NoRoom } from './held-capacity.ts';
import { heldOwner, heldPlace } from './held-seal.ts';
import { holdAnonymousOutputFunction } from './hold-anonymous-output.sql.ts';
import { otherRequestIds } from './other-request-ids.ts';

interface AnonymousOutput {
  readonly output: ResponseModel;
  /** The sender's IPv4 address, or the /64 of its IPv6 one. */
  readonly client: string | null;
  readonly heldCapacity?: HeldCapacity;
}

interface HeldAnonymously {
  readonly kind: 'held';
  readonly heldId: string;
  /** Anonymous outputs still waiting that were removed to make room. */
  readonly displacedCount: number;
}

/**
 * Stores an output without a verifier's key, once, in the share of anonymous senders.
 *
 * Its cost reveals nothing: for a known, an unknown and a malformed id it makes the same two statements and the same
 * writes, and reads only requests that were erased. It writes no line to `access_log`, which is permanent: every distinct body would
 * add one. The held row records who and when; applying it writes the line.
 *
 * `no_room`: it is larger than the whole share. `erased`: it names a request that was erased, and is not stored.
 */
export async function holdAnonymousOutput(
  store: Store,
  { output, client, heldCapacity: capacity = HELD_CAPACITY }: AnonymousOutput,
  reason: HeldReason,
): Promise<HeldAnonymously | { readonly kind: 'erased' } | NoRoom> {
  const { db, vault } = store;
  const text = JSON.stringify(output);
  // Differs from a keyed sender's digest: a verifier's output must not be matched with a row that anonymous senders can
  // displace.
  const digest = vault.index('held_output.digest.anonymous', `${reason} ${text}`);
  const { request_id: stated } = output.request;
  const named = stated !== null && isIssuedId('req', stated) ? stated : null;
  return store.holding(async (): Promise<HeldAnonymously | { readonly kind: 'erased' } | NoRoom> => {
    // A repeat, which costs its sender least, takes no lock and writes nothing.
    const found = await db
      .selectFrom('held_output')
      .select('id')
      .where('digest', '=', digest)
      .where('status', '=', 'held')
      .executeTakeFirst();
    if (found) return { kind: 'held', heldId: found.id, displacedCount: 0 };
    const id = issueId('held');
    const ref = { id, account_id: null, received_by: null, named_request_id: named };
    const body = await vault.seal(heldOwner(ref), heldPlace('body', ref), text);
    const { rows } = await sql<{ held_id: string | null; displaced: number; is_erased: boolean }>`
      select held_id, displaced, is_erased from ${sql.raw(holdAnonymousOutputFunction.name)}(
        new_id => ${id}, reason => ${reason},
        named_request_id => ${named}, other_ids => ${otherRequestIds(output, named)},
        new_digest => ${digest}, body => ${body}, new_byte_count => ${Buffer.byteLength(text)},
        of_client => ${client === null ? null : vault.index('held_output.client', client)},
        row_count_max => ${capacity.rowCountMax}, byte_count_max => ${capacity.byteCountMax},
        client_row_count_max => ${capacity.clientRowCountMax}, holding => ${LOCKS.holding})`.execute(db);
    const [held] = rows;
    if (held?.is_erased) return { kind: 'erased' };
    if (!held?.held_id) return { kind: 'no_room' };
    return { kind: 'held', heldId: held.held_id, displacedCount: held.displaced };
  });
}
