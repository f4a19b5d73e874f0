import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { namedRequest } from '../named-request.ts';

/**
 * The held outputs that an operator may see or touch: of a test account those about a test account's request, and those
 * about no request of ours that a test account's key handed in. What nobody's key handed in about no request is live.
 */
export function heldWithin(caller: Caller): RawBuilder<boolean> {
  if (caller.mode === 'live') return sql<boolean>`true`;
  return sql<boolean>`case when ${namedRequest} is null
    then exists (
      select from api_key
      where api_key.id = held_output.received_by and ${within(caller, 'api_key.account_id')}
    ) else exists (
      select from request where request.id = ${namedRequest} and ${within(caller, 'request.account_id')}
    ) end`;
}
