import type { EventData, EventType } from '@insurance-verification/schema';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { Vault } from '../encryption/vault.ts';
import { binaryArray } from '../functions/binary-array.ts';
import { PREPARED } from '../functions/prepared-call.ts';
import { issueId } from '../issued-id.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import { readNow } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { eventMac } from './event-mac.ts';
import { writeEventsFunction } from './write-event.sql.ts';

/** An event as it is stored and posted, with its MAC. */
export interface MadeEvent {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly subjectId: string;
  readonly number: number | null;
  /** A `WebhookEvent` in JSON. */
  readonly body: string;
  readonly mac: Buffer;
  /** The one endpoint that gets it; null: all that have its type. */
  readonly onlyEndpointId: string | null;
}

/** Work that an agent could claim: the data of `work.available`, which no operation lists. */
interface WorkData {
  readonly payer: string;
  readonly channel: string;
  readonly count: number;
}

interface Happening {
  readonly type: EventType | 'work.available';
  readonly accountId: string;
  /** The request, batch, endpoint or account that it is about. */
  readonly subjectId: string;
  /** Of an event of a request: see {@link makeRequestEvent}. */
  readonly number?: number | null;
  readonly data: EventData | WorkData;
  /** By the database's clock. */
  readonly occurredAt: Date;
  readonly onlyEndpointId?: string | null;
}

/** Makes and signs an event, which {@link writeEvents} or `applyFindings` then writes. */
export function makeEvent(
  vault: Vault,
  { type, accountId, subjectId, number = null, data, occurredAt, onlyEndpointId = null }: Happening,
): MadeEvent {
  const id = issueId('evt');
  const occurred_at = occurredAt.toISOString();
  const body = JSON.stringify({ id, type, account_id: accountId, occurred_at, number, data });
  const covered = { id, account_id: accountId, type, subject_id: subjectId, number, body };
  return { id, accountId, type, subjectId, number, body, mac: eventMac(vault, covered), onlyEndpointId };
}

interface RequestHappening {
  readonly type: EventType;
  readonly requestId: string;
  readonly accountId: string;
  /** The request's `event_count` with this event, under its lock. */
  readonly number: number;
  readonly data: Omit<EventData, 'request_id'>;
  readonly occurredAt: Date;
}

/** As {@link makeEvent}, about a request. Null for one of the known answers' account, which has no events. */
export function makeRequestEvent(
  vault: Vault,
  { requestId, data, ...happening }: RequestHappening,
): MadeEvent | null {
  if (happening.accountId === KNOWN_ANSWERS_ACCOUNT_ID) return null;
  return makeEvent(vault, { ...happening, subjectId: requestId, data: { request_id: requestId, ...data } });
}

/** Writes events and their deliveries. Call it in the transaction of what happened. */
export async function writeEvents(db: Kysely<Tables>, events: readonly MadeEvent[]): Promise<void> {
  if (events.length === 0) return;
  await db.executeQuery(
    CompiledQuery.raw(WRITE, [
      binaryArray('text', events, ({ id }) => id),
      binaryArray('text', events, ({ accountId }) => accountId),
      binaryArray('text', events, ({ type }) => type),
      binaryArray('text', events, ({ subjectId }) => subjectId),
      binaryArray('integer', events, ({ number }) => number),
      binaryArray('text', events, ({ body }) => body),
      binaryArray('bytea', events, ({ mac }) => mac),
      binaryArray('text', events, ({ onlyEndpointId }) => onlyEndpointId),
    ]),
  );
}

/** A constant text, which Kysely need not assemble for each statement. */
const WRITE = `select ${writeEventsFunction.name}($1, $2, $3, $4, $5, $6, $7, $8) ${PREPARED}`;

/** The parts of a store needed inside a transaction. */
export interface Inside {
  readonly db: Transaction<Tables>;
  readonly vault: Vault;
}

/** Writes an event that is not about a request. @returns its id. */
export async function writeEvent(
  { db, vault }: Inside,
  happening: Omit<Happening, 'number' | 'occurredAt'>,
): Promise<string> {
  const event = makeEvent(vault, { ...happening, occurredAt: await readNow(db) });
  await writeEvents(db, [event]);
  return event.id;
}
