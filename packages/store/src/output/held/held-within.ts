import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { namedRequest } from '../named-request.ts';

/**
 * The held outputs that an operator may access. A test account's operator: those about a test account's request, and
 * those about no known request that a test account's key submitted. Anonymous outputs about no known request count as
 * live, and so do those that came once it was erased: nothing is left that says whose it was.
 */
export function heldWithin(caller: Caller): RawBuilder<boolean> {
  if (caller.mode === 'live') return sql<boolean>`true`;
  return sql<boolean>`case when ${namedRequest} is null
    then exists (
      select from api_key
      where api_key.id = held_output.received_by and ${within(caller, 'api_key.account_id')}
    ) else exists (
      select from request where request.id = ${namedRequest} and request.erased_at is null and ${within(caller, 'request.account_id')}
    ) end`;
}
