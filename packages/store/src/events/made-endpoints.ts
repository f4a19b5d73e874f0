import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { ENABLED } from './missed-events.ts';
import { type Inside, writeEvent } from './write-event.ts';

type Row = Selectable<Tables['webhook_endpoint']>;

/** Endpoints made by a key or person, without ended ones. Subscriptions over MCP end with their key by themselves. */
const made = (db: Kysely<Tables>, makerId: string) =>
  db.updateTable('webhook_endpoint').where('made_by', '=', makerId).where('ended_at', 'is', null);

/**
 * Pauses the endpoints of a maker that has ended, and reports each as `endpoint.disabled`. One that is disabled already
 * keeps its reason.
 * @returns all of them, oldest first.
 */
export async function pauseMade({ db: trx, vault }: Inside, makerId: string): Promise<Row[]> {
  const paused = await made(trx, makerId)
    .where('disabled_at', 'is', null)
    .set({ disabled_at: sql<Date>`now()`, disabled_reason: 'maker_ended' })
    .returning(['id', 'account_id'])
    .execute();
  for (const { id, account_id: accountId } of paused) {
    const data = { endpoint_id: id, reason: 'maker_ended' } as const;
    await writeEvent({ db: trx, vault }, { type: 'endpoint.disabled', accountId, subjectId: id, data });
  }
  return trx
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('made_by', '=', makerId)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
}

/**
 * Hands the endpoints of a maker that has ended to another one, or with null to their account. Those that were paused
 * because it ended take events again; one that was disabled for another reason stays so.
 * @returns the endpoints, oldest first.
 */
export async function handOverMade(
  db: Kysely<Tables>,
  makerId: string,
  nextId: string | null,
): Promise<Row[]> {
  await made(db, makerId).where('disabled_reason', '=', 'maker_ended').set(ENABLED).execute();
  const rows = await made(db, makerId).set({ made_by: nextId }).returningAll().execute();
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Ids of the endpoints that the key or person in a column made, without ended ones, for a list of keys or people. */
export const madeEndpointIds = (id: string) => sql<string[]>`array(
  select endpoint.id::text from webhook_endpoint as endpoint
  where endpoint.made_by = ${sql.ref(id)} and endpoint.ended_at is null order by endpoint.id)`;

/** Reads the ids of the endpoints that a key or person made, without ended ones. */
export async function readMadeIds(db: Kysely<Tables>, makerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('made_by', '=', makerId)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
