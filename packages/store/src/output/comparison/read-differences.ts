import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { openOrNull } from '../../encryption/open-or-null.ts';
import type { Store } from '../../open-store.ts';
import { PAGE_BYTES_MAX } from '../../page.ts';
import { type FoundRequestRow, openFoundRequest } from '../apply-finding.ts';
import { type HeldRef, openHeldBody, readSealedHeld } from '../held/held-seal.ts';
import {
  findDifferences,
  type HeldDifferences,
  openDifferences,
  sealDifferences,
} from './held-differences.ts';

/** A held output as a list reads it. */
interface ListedHeld extends HeldRef {
  readonly byte_count: number;
  readonly differences: Buffer | null;
}

interface Differing {
  readonly caller: Caller;
  readonly heldOutputs: readonly ListedHeld[];
  /** The requests that they name. */
  readonly asked: readonly FoundRequestRow[];
}

/**
 * What held outputs say otherwise than the requests that they name, by their ids; none where one of the two does not
 * open. An output of a sender without a key is compared when it is first listed: to look its request up on arrival
 * would show the sender whether that exists.
 */
export async function readDifferences(
  store: Store,
  { caller, heldOutputs, asked }: Differing,
): Promise<Map<string, HeldDifferences>> {
  const found = new Map<string, HeldDifferences>();
  const isNew = ({ differences }: ListedHeld) => differences === null;
  for (const row of heldOutputs) {
    const opened = row.differences && (await openOrNull(openDifferences(store.vault, row, row.differences)));
    if (opened) found.set(row.id, opened);
  }
  for (const batch of batchesOf(heldOutputs.filter(isNew)))
    for (const [id, differences] of await compareNew(store, { caller, heldOutputs: batch, asked }))
      found.set(id, differences);
  return found;
}

/** Compares outputs that never were, and keeps what it found with those that nobody changed meanwhile. */
async function compareNew(
  { db, vault }: Store,
  { caller, heldOutputs, asked }: Differing,
): Promise<ReadonlyMap<string, HeldDifferences>> {
  const requests = new Map(asked.map((row) => [row.id, row]));
  const found = new Map<string, HeldDifferences>();
  const sealed: Buffer[] = [];
  for (const row of await readSealedHeld(db, { caller, heldIds: heldOutputs.map(({ id }) => id) })) {
    const named = requests.get(row.request_id ?? '');
    const request = named && (await openOrNull(openFoundRequest(vault, named)));
    const offered = await openOrNull(openHeldBody(vault, row));
    const differences =
      request && offered && (await openOrNull(findDifferences(db, vault, { offered, request })));
    if (!differences) continue;
    found.set(row.id, differences);
    sealed.push(await sealDifferences(vault, row, differences));
  }
  const byteCounts = new Map(heldOutputs.map(({ id, byte_count: byteCount }) => [id, byteCount]));
  const ids = [...found.keys()];
  // Waits for no row: whoever settles or erases one has locked it. An erasure that rewrites one changes its size.
  if (ids.length > 0)
    await sql`
      update held_output set differences = noted.differences
      from unnest(${ids}::text[], ${sealed}::bytea[], ${ids.map((id) => byteCounts.get(id) ?? 0)}::int[])
        as noted (id, differences, byte_count)
      where held_output.id = noted.id and held_output.byte_count = noted.byte_count
        and held_output.id = any (array(
          select id from held_output where id = any (${ids}) for no key update skip locked))`.execute(db);
  return found;
}

/** As many at once as a page of requests may hold: each may be a megabyte, and a page has a hundred. */
function batchesOf(heldOutputs: readonly ListedHeld[]): ListedHeld[][] {
  const batches: ListedHeld[][] = [];
  let bytesLeft = 0;
  for (const heldOutput of heldOutputs) {
    bytesLeft -= heldOutput.byte_count;
    if (bytesLeft < 0) {
      batches.push([]);
      bytesLeft = PAGE_BYTES_MAX - heldOutput.byte_count;
    }
    batches.at(-1)?.push(heldOutput);
  }
  return batches;
}
