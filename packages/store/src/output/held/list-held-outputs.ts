import type { HeldOutput, HeldOutputList, HeldReason } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { recordAccess } from '../../access/record-access.ts';
import { subjectNameOf } from '../../access/subject-name.ts';
import type { Store } from '../../open-store.ts';
import { type PageOptions, readPage } from '../../page.ts';
import { askedMembersOf, resultMembersOf } from '../comparison/held-differences.ts';
import { readDifferences } from '../comparison/read-differences.ts';
import { selectAsked } from '../comparison/select-asked.ts';
import { namedRequest } from '../named-request.ts';
import { heldRefs } from './held-seal.ts';
import { heldWithin } from './held-within.ts';

export interface HeldOutputListOptions extends PageOptions {
  readonly caller: Caller;
  readonly reason?: HeldReason | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** The outputs awaiting an operator, of one reason or of all, of a time or of any. */
export async function listHeldOutputs(
  store: Store,
  { caller, reason, since, until, ...page }: HeldOutputListOptions,
): Promise<HeldOutputList> {
  const { db } = store;
  const held = heldRefs(db, caller)
    .select(['received_at', 'byte_count', 'differences'])
    .select(subjectNameOf('received_by').as('offered_by'))
    .where('status', '=', 'held')
    .where((eb) =>
      eb.and([
        ...(reason === undefined ? [] : [eb('reason', '=', reason)]),
        ...(since === undefined ? [] : [eb('received_at', '>=', since)]),
        ...(until === undefined ? [] : [eb('received_at', '<', until)]),
      ]),
    );
  const { rows, next_cursor } = await readPage(held, page);
  const requestIds = [...new Set(rows.flatMap(({ request_id: id }) => id ?? []))];
  await recordAccess(db, { caller, operation: 'heldOutputs.list', requestIds });
  return { items: await besideAsked(store, caller, rows), next_cursor };
}

/** Each with the request that it names, and with what it says otherwise. */
async function besideAsked(
  store: Store,
  caller: Caller,
  rows: readonly (HeldRow & { readonly offered_by: string | null } & Parameters<
      typeof readDifferences
    >[1]['heldOutputs'][number])[],
): Promise<HeldOutput[]> {
  const requestIds = [...new Set(rows.flatMap(({ request_id: id }) => id ?? []))];
  const asked = await selectAsked(store.db, caller)
    .where(sql<boolean>`request.id = any (${requestIds})`)
    .execute();
  const requests = new Map(asked.map((row) => [row.id, row]));
  const isComparable = ({ request_id: id }: HeldRow) => id !== null && requests.get(id)?.erased_at === null;
  const differences = await readDifferences(store, {
    caller,
    heldOutputs: rows.filter(isComparable),
    asked: asked.filter(({ erased_at: erasedAt }) => erasedAt === null),
  });
  return rows.map((row) => {
    const request = requests.get(row.request_id ?? '');
    const differing = differences.get(row.id);
    return {
      ...toHeldOutline(row),
      account_name: request ? (JSON.parse(request.account_name) as string) : null,
      payer: request?.payer_name ?? null,
      patient_initials: differing?.initials ?? null,
      offered_by: JSON.parse(row.offered_by ?? 'null') as string | null,
      differs: differing ? askedMembersOf(differing) : [],
      changes: differing ? resultMembersOf(differing) : [],
    };
  });
}

/** What every list shows of the held outputs, settled ones too, that the caller may access. */
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

export function toHeldOutline({ id, reason, received_at, request_id }: HeldRow) {
  return { held_id: id, reason, received_at: received_at.toISOString(), request_id };
}
