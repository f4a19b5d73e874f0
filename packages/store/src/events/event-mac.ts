import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '../encryption/vault.ts';

/** The columns of an event that its MAC covers. */
export interface CoveredEvent {
  readonly id: string;
  readonly account_id: string;
  readonly type: string;
  readonly subject_id: string;
  readonly number: number | null;
  readonly body: string;
}

/**
 * The value of `event.mac`, so that a person who can write to the database, but has no master key, has no event of theirs
 * signed with an endpoint's secret and posted.
 *
 * Its key is the service's data key for hashes, not one derived from each master key as that of `RowMacs`: a start would
 * have to sign the events of 30 days again, 30 million at a million requests a day, and a process without the newest
 * master key would report the events of the others. A rotation of the master key wraps the data key again, and a start
 * without the key that wraps it is refused.
 */
export function eventMac(
  vault: Vault,
  { id, account_id, type, subject_id, number, body }: CoveredEvent,
): Buffer {
  return vault.index('event.mac', JSON.stringify([id, account_id, type, subject_id, number, body]));
}

/** An event as {@link EVENT_JSON} reads it. */
export interface StoredEvent extends CoveredEvent {
  /** Base64. */
  readonly mac: string;
}

/**
 * Reads a row of `event`, in the text of a statement. Functions are named with their schema, as in `coveredOf`.
 */
export const EVENT_JSON = `pg_catalog.jsonb_build_object('id', event.id, 'account_id', event.account_id,
        'type', event.type, 'subject_id', event.subject_id, 'number', event.number, 'body', event.body,
        'mac', pg_catalog.encode(event.mac, 'base64'))`;

/**
 * The event of an id as the service wrote it. Undefined, and reported, if it is gone or not as the service wrote it: it
 * counts as absent.
 */
export function openEvent(vault: Vault, id: string, stored: StoredEvent | null): CoveredEvent | undefined {
  if (stored?.id === id) {
    const expected = eventMac(vault, stored);
    const given = Buffer.from(stored.mac, 'base64');
    if (expected.length === given.length && timingSafeEqual(expected, given)) return stored;
  }
  vault.macs.report({ table: 'event', id });
  return undefined;
}
