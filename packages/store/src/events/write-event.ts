import type { EventType } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { writeEventFunction } from './write-event.sql.ts';

interface OtherEvent {
  readonly type: EventType;
  readonly accountId: string;
  /** The endpoint or account that it is about. Events of requests are numbered, and written where these change. */
  readonly subjectId: string;
  readonly data: Readonly<Record<string, string>>;
  readonly onlyEndpointId?: string;
}

/** Writes an event that is not about a request. @returns its id. */
export async function writeEvent(
  trx: Transaction<Tables>,
  { type, accountId, subjectId, data, onlyEndpointId }: OtherEvent,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select ${sql.raw(writeEventFunction.name)}(${type}, ${accountId}, ${subjectId}, null, ${JSON.stringify(data)}::jsonb,
      ${onlyEndpointId ?? null}) as id`.execute(trx);
  const [written] = rows;
  if (!written) throw new Error('A function with one answer gave none.');
  return written.id;
}
