import type { HeldOutput, HeldOutputList, HeldReason } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';
import { type PageOptions, readPage } from '../../page.ts';
import { namedRequest } from '../named-request.ts';
import { heldWithin } from './held-within.ts';

export interface HeldOutputListOptions extends PageOptions {
  readonly caller: Caller;
  readonly reason?: HeldReason | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** The outputs awaiting an operator, of one reason or of all, of a time or of any. */
export async function listHeldOutputs(
  { db }: Store,
  { caller, reason, since, until, ...page }: HeldOutputListOptions,
): Promise<HeldOutputList> {
  const held = selectHeld(db, caller)
    .where('status', '=', 'held')
    .where((eb) =>
      eb.and([
        ...(reason === undefined ? [] : [eb('reason', '=', reason)]),
        ...(since === undefined ? [] : [eb('received_at', '>=', since)]),
        ...(until === undefined ? [] : [eb('received_at', '<', until)]),
      ]),
    );
  const { rows, next_cursor } = await readPage(held, page);
  await recordAccess(db, { caller, operation: 'heldOutputs.list' });
  return { items: rows.map(toHeldOutput), next_cursor };
}

/** What every list tells of the held outputs, settled ones too, that the caller may access. */
export function selectHeld(db: Store['db'], caller: Caller) {
  return db
    .selectFrom('held_output')
    .select(['id', 'reason', 'received_at', namedRequest.as('request_id')])
    .where(heldWithin(caller));
}

interface HeldRow {
  readonly id: string;
  readonly reason: HeldReason;
  readonly received_at: Date;
  readonly request_id: string | null;
}

export function toHeldOutput({ id, reason, received_at, request_id }: HeldRow): HeldOutput {
  return { held_id: id, reason, received_at: received_at.toISOString(), request_id };
}
