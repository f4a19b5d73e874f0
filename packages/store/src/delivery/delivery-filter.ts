import type { AttemptOutcome } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import type { Vault } from '../encryption/vault.ts';
import { endpointIsOpenFunction } from '../events/write-event.sql.ts';
import { isIssuedId, issuedIdAt } from '../issued-id.ts';
import { type IdSpan, type PageOptions, spanBeyond } from '../page.ts';
import { destinationHostsOf } from './message.ts';

/** The filters for deliveries; an absent one excludes nothing. */
export interface DeliveryFilter {
  readonly caller: Caller;
  readonly accountId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Only events that go to it. */
  readonly endpointId?: string | undefined;
  /** As in the callback address, with or without a port. */
  readonly host?: string | undefined;
  /** Of the last attempt. */
  readonly outcome?: AttemptOutcome | undefined;
  readonly statusCode?: number | undefined;
  readonly reason?: string | undefined;
  readonly attemptsMin?: number | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/**
 * A delivery's id holds the clock of the process that wrote it, `accepted_at` the database's: the bounds of ids are
 * wider than the times by this.
 */
const SKEW_MS = 5 * 60_000;

/** No row has a text that was never issued, or a NUL, which Postgres refuses in any text. */
export function mayMatch({ accountId, requestId, endpointId, reason }: DeliveryFilter): boolean {
  if (requestId !== undefined && !isIssuedId('req', requestId)) return false;
  if (endpointId !== undefined && !isIssuedId('ep', endpointId)) return false;
  return ![accountId, reason].some((text) => text?.includes('\0'));
}

/** The ids that a filter by time and a place in the list leave. Widened for clocks that differ. */
export function idSpan({ since, until, ...place }: DeliverySpan): Required<IdSpan> {
  const { floor = '', end = LAST_OF_ALL } = spanBeyond(place, {
    floor: since && issuedIdAt('msg', since.getTime() - SKEW_MS),
    end: until && issuedIdAt('msg', until.getTime() + SKEW_MS),
  });
  return { floor, end };
}

type DeliverySpan = Pick<DeliveryFilter, 'since' | 'until'> & Pick<PageOptions, 'cursor' | 'order'>;

/** Above every id of a message. */
export const LAST_OF_ALL = 'msg_~';

/**
 * An account's deliveries of a span, by the index of both columns. As rows: with an equal account the planner reads
 * every account's newest deliveries to find this one's, and with a range of accounts it sorts all that the account
 * has.
 */
export const ofAccount = ({ floor, end }: ReturnType<typeof idSpan>): RawBuilder<boolean> =>
  sql<boolean>`(delivery.account_id, delivery.id) >= (account.id, ${floor})
    and (delivery.account_id, delivery.id) < (account.id, ${end})`;

/** The conditions that no index serves, on `delivery` and `last`, its last attempt. */
export function residualConditions(vault: Vault, filter: DeliveryFilter): RawBuilder<boolean>[] {
  const { endpointId, host, outcome, statusCode, reason, attemptsMin, since, until } = filter;
  return [
    ...(endpointId === undefined ? [] : [sql<boolean>`delivery.endpoint_id = ${endpointId}`]),
    ...(host === undefined
      ? []
      : [sql<boolean>`delivery.destination_host = any (${destinationHostsOf(vault, host)})`]),
    ...(outcome === undefined ? [] : [sql<boolean>`last.outcome = ${outcome}`]),
    ...(statusCode === undefined ? [] : [sql<boolean>`last.status_code = ${statusCode}`]),
    ...(reason === undefined ? [] : [sql<boolean>`delivery.reason = ${reason}`]),
    ...(attemptsMin === undefined ? [] : [sql<boolean>`delivery.attempt_count >= ${attemptsMin}`]),
    ...(since === undefined ? [] : [sql<boolean>`delivery.accepted_at >= ${since}`]),
    ...(until === undefined ? [] : [sql<boolean>`delivery.accepted_at < ${until}`]),
  ];
}

/**
 * The last attempt of `delivery`, one probe of its key a row. The limit keeps the planner from reading all attempts for
 * one join.
 */
export const LAST_ATTEMPT = sql`left join lateral (
  select attempt.at, attempt.outcome, attempt.status_code from delivery_attempt as attempt
  where attempt.delivery_id = delivery.id and attempt.number = delivery.attempt_count limit 1
) as last on true`;

/** The accounts that are searched one by one. */
export function accountsOf({ caller, accountId }: DeliveryFilter): RawBuilder<boolean> {
  const reached = within(caller, 'account.id');
  return accountId === undefined ? reached : sql<boolean>`(${reached} and account.id = ${accountId})`;
}

/**
 * Whether a list shows `delivery`. Not what goes to a subscription over MCP: it is not repeated. A subquery, so that the
 * planner probes the key for each row that carries an event: for a join it may read all endpoints.
 */
export const IS_LISTED = sql<boolean>`(delivery.endpoint_id is null or (
  select endpoint.subscription is null from webhook_endpoint as endpoint where endpoint.id = delivery.endpoint_id))`;

/**
 * Whether `delivery` may be sent again: the current result of a request that is not erased (a corrected one must not
 * arrive after its correction), or an event whose endpoint takes events. One to an endpoint that is off would be given up
 * unsent, and the count before it would be untrue.
 */
export const MAY_GO_AGAIN = sql<boolean>`case
  when delivery.endpoint_id is null then (
    select request.version = delivery.version and request.erased_at is null
    from request where request.id = delivery.request_id)
  else (
    select endpoint.subscription is null and ${sql.raw(endpointIsOpenFunction.name)}(endpoint)
    from webhook_endpoint as endpoint where endpoint.id = delivery.endpoint_id)
  end`;

export function and(parts: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return parts.length === 0 ? sql<boolean>`true` : sql.join<boolean>(parts, sql` and `);
}
