import { type RequestState, type VerificationSource } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { isIssuedId, issuedIdAt } from '../../issued-id.ts';
import { type IdSpan, type PageOptions, spanBeyond } from '../../page.ts';
import { channelOf, type Route } from '../../tables/route.ts';
import { IS_LATE } from '../count-requests.ts';
import { CHANNEL_NOW } from './to-summary.ts';

/** What requests are searched by; absent criteria select nothing away. */
export interface RequestSearch extends PageOptions {
  readonly caller: Caller;
  /** Of the configured payers: a request that nobody took yet waits in the first channel of its payer's. */
  readonly routes: readonly Route[];
  readonly requestId?: string | undefined;
  /** The `Idempotency-Key` of its creation. */
  readonly idempotencyKey?: string | undefined;
  /** The whole member id. */
  readonly memberId?: string | undefined;
  /** The whole NPI of the provider. */
  readonly npi?: string | undefined;
  readonly accountId?: string | undefined;
  readonly payerId?: string | undefined;
  readonly state?: RequestState | undefined;
  readonly errorReason?: string | undefined;
  readonly channel?: VerificationSource | undefined;
  /** Only those without a result although the time at which they are needed is past. */
  readonly late?: true | undefined;
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}

/** No row has a text that was never issued, or a NUL, which Postgres refuses in any text. */
export function mayMatch({ requestId, accountId, payerId }: RequestSearch): boolean {
  if (requestId !== undefined && !isIssuedId('req', requestId)) return false;
  return ![accountId, payerId].some((text) => text?.includes('\0'));
}

/** An id holds the clock of the process that issued it, `received_at` the database's: ids are bounded wider by this. */
const SKEW_MS = 5 * 60_000;

/** The span of ids that a search walks. */
export const idSpan = ({ since, until, ...place }: RequestSearch): IdSpan =>
  spanBeyond(place, {
    floor: since && issuedIdAt('req', since.getTime() - SKEW_MS),
    end: until && issuedIdAt('req', until.getTime() + SKEW_MS),
  });

/** What the walk's index does not decide, as conditions on `request` and its row of `work_queue`. What is sealed is compared after. */
export function residualConditions(search: RequestSearch): RawBuilder<boolean>[] {
  const { caller, requestId, accountId, payerId, state, errorReason, channel, since, until } = search;
  const mayBeAnothers = requestId !== undefined || caller.mode === 'test' || !caller.acrossAccounts;
  return [
    ...(mayBeAnothers ? [within(caller, 'request.account_id')] : []),
    ...(requestId === undefined ? [] : [sql<boolean>`request.id = ${requestId}`]),
    ...(accountId === undefined ? [] : [sql<boolean>`request.account_id = ${accountId}`]),
    ...(payerId === undefined ? [] : [sql<boolean>`request.payer_id = ${payerId}`]),
    ...(state === undefined ? [] : [isInState(state)]),
    ...(errorReason === undefined
      ? []
      : [sql<boolean>`(request.outcome_reason is not null or request.delivery_reason is not null)`]),
    ...(channel === undefined ? [] : [isInChannel(channel, search.routes)]),
    ...(search.late === undefined ? [] : [IS_LATE]),
    ...(since === undefined ? [] : [sql<boolean>`request.received_at >= ${since}`]),
    ...(until === undefined ? [] : [sql<boolean>`request.received_at < ${until}`]),
  ];
}

function isInState(state: RequestState): RawBuilder<boolean> {
  if (state === 'pending') return sql<boolean>`request.outcome = 'none'`;
  if (state === 'error_sending_webhook') return sql<boolean>`request.undelivered`;
  return sql<boolean>`(request.outcome = ${state} and not request.undelivered)`;
}

function isInChannel(channel: VerificationSource, routes: readonly Route[]): RawBuilder<boolean> {
  const first = routes.filter((route) => channelOf(route, 'entry').source === channel);
  return sql<boolean>`(${CHANNEL_NOW} = ${channel} or ${CHANNEL_NOW} = 'entry'
    and request.payer_id = any (${first.map(({ payerId }) => payerId)}))`;
}
