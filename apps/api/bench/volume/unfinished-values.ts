import type { Store } from '@insurance-verification/store';
import type pg from 'pg';
import { moveId } from './moved-ids.ts';

/** A sealed column that is opened when a claim takes its row: sealed for its place, a copy would not open. */
export interface SealedColumn {
  readonly column: string;
  /** The id that the row is known by. */
  readonly key: string;
  readonly placeOf: (id: string) => string;
}

export const SEALED_COLUMNS: Readonly<Record<string, SealedColumn>> = {
  request: { column: 'input', key: 'id', placeOf: (id) => `request.input:${id}` },
  result: { column: 'body', key: 'request_id', placeOf: (id) => `result.body:${id}.1` },
  delivery: { column: 'destination', key: 'id', placeOf: (id) => `delivery.destination:${id}` },
};

interface PlainValue {
  readonly id: string;
  readonly accountId: string;
  readonly text: Buffer;
}

/** Of each table of {@link SEALED_COLUMNS} the values that a claim opens, by name. */
export type UnfinishedValues = ReadonlyMap<string, readonly PlainValue[]>;

/** Opens the values of requests that wait, and of deliveries that do, in the schema `generation`. */
export async function openUnfinished(client: pg.Client, store: Store): Promise<UnfinishedValues> {
  const opened = new Map<string, readonly PlainValue[]>();
  for (const [table, { column, key, placeOf }] of Object.entries(SEALED_COLUMNS)) {
    const { rows } = await client.query<{ id: string; account_id: string; sealed: Buffer }>(
      `select row.${key} as id, request.account_id, row.${column} as sealed
       from generation.${table} as row join generation.request on request.id = row.${table === 'request' ? 'id' : 'request_id'}
       where request.outcome = 'none' or request.delivery = 'pending'`,
    );
    opened.set(
      table,
      await Promise.all(
        rows.map(async ({ id, account_id: accountId, sealed }) => ({
          id,
          accountId,
          text: await store.vault.open({ accountId }, placeOf(id), sealed),
        })),
      ),
    );
  }
  return opened;
}

/** A table's values sealed for the rows so many steps later, by the ids that these had. */
export async function sealMoved(
  store: Store,
  table: string,
  values: readonly PlainValue[],
  stepCount: number,
): Promise<{ readonly ids: string[]; readonly sealed: Buffer[] }> {
  const seal = await store.vault.sealerFor(values.map(({ accountId }) => accountId));
  const placeOf = SEALED_COLUMNS[table]?.placeOf ?? String;
  return {
    ids: values.map(({ id }) => id),
    sealed: values.map(({ id, accountId, text }) => seal(accountId, placeOf(moveId(id, stepCount)), text)),
  };
}
