import type { AskedMember } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { openOrNull } from '../../encryption/open-or-null.ts';
import { openRequestModel, type RequestModelRow } from '../../intake/request-row.ts';
import type { Store } from '../../open-store.ts';
import { PAGE_BYTES_MAX } from '../../page.ts';
import { openHeldBody, readSealedHeld } from '../held/held-seal.ts';
import { compareValues } from './compare-values.ts';
import { differingMembers } from './differing-members.ts';

interface HeldSize {
  readonly id: string;
  readonly byte_count: number;
}

interface Differing {
  readonly caller: Caller;
  readonly heldOutputs: readonly HeldSize[];
  /** The requests that they name. */
  readonly asked: readonly RequestModelRow[];
}

/**
 * What held outputs say otherwise than the requests that they name ask, by their ids; none where one of the two does not
 * open.
 */
export async function readDifferences(
  { db, vault }: Store,
  { caller, heldOutputs, asked }: Differing,
): Promise<Map<string, AskedMember[]>> {
  const opened = asked.map(async (row) => [row.id, await openOrNull(openRequestModel(vault, row))] as const);
  const requests = new Map(await Promise.all(opened));
  const found = new Map<string, AskedMember[]>();
  for (const heldIds of batchesOf(heldOutputs)) {
    for (const row of await readSealedHeld(db, { caller, heldIds })) {
      const request = requests.get(row.request_id ?? '');
      const offered = await openOrNull(openHeldBody(vault, row));
      if (request && offered)
        found.set(row.id, differingMembers(compareValues({ asked: request, standing: null, offered })));
    }
  }
  return found;
}

/** As many at once as a page of requests may hold: each may be a megabyte, and a page has a hundred. */
function batchesOf(heldOutputs: readonly HeldSize[]): string[][] {
  const batches: string[][] = [];
  let bytesLeft = 0;
  for (const { id, byte_count: byteCount } of heldOutputs) {
    bytesLeft -= byteCount;
    if (bytesLeft < 0) {
      batches.push([]);
      bytesLeft = PAGE_BYTES_MAX - byteCount;
    }
    batches.at(-1)?.push(id);
  }
  return batches;
}
