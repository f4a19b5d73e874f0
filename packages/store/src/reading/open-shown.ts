import { initialsOf, type RequestInfo, type RequestSummary, stateOf } from '@insurance-verification/schema';
import { type Selectable, sql } from 'kysely';
import { DecryptionError } from '../encryption/encrypt.ts';
import type { Decrypter, Vault } from '../encryption/vault.ts';
import { normaliseMemberId, normaliseNpi } from '../intake/member-index.ts';
import { erasedErrorReason, openErrorReason, serviceDatePlace } from '../intake/read-request.ts';
import type { Store } from '../open-store.ts';
import type { StoredFinding } from '../output/apply-findings.ts';
import { directionOf, PAGE_BYTES_MAX, type PageOptions } from '../page.ts';
import { channelOf, downtimeAt, isAsked, type QueueName, type Route } from '../tables/intake.ts';
import type { Tables } from '../tables/tables.ts';

/** What a list shows of a request that is encrypted, and whether an output about it is held. */
type ShownParts = Pick<
  RequestSummary,
  'patient_initials' | 'service_date' | 'answer' | 'answer_reason' | 'held'
>;

/** What is looked up by numbers, which two values may share. */
interface Wanted extends Pick<PageOptions, 'order'> {
  readonly memberId?: string | undefined;
  readonly npi?: string | undefined;
}

/** `other`: it only shares the number of what is wanted. `broken`: a stored value of it does not open. */
type OpenedParts = ShownParts | 'other' | 'broken';

type Row = Pick<
  Selectable<Tables['request']>,
  'id' | 'account_id' | 'input' | 'service_date' | 'outcome' | 'outcome_reason' | 'version'
> & {
  readonly is_erased: boolean;
  readonly held: boolean;
  /** Of the current result; null before the first. */
  readonly body: Buffer | null;
};

/**
 * Opens what a page of requests shows of each, in one statement, and compares what was found by its number with what is
 * wanted. Like every list of large values it ends at 2 MB: the ids that are left out come on the next page.
 */
export async function openShown(
  { db, vault }: Store,
  wanted: Wanted,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, OpenedParts>> {
  const direction = directionOf(wanted);
  const size = sql`octet_length(input) + coalesce(octet_length(body), 0)`;
  const { rows } = await sql<Row>`
    select * from (
      select request.id, request.account_id, input, service_date, request.outcome, outcome_reason, request.version,
        erased_at is not null as is_erased, body,
        exists (
          select from held_output where coalesce(held_output.request_id, held_output.named_request_id) = request.id
            and status = 'held'
        ) as held,
        sum(${size}) over (order by request.id ${direction}) - (${size}) as bytes_before
      from request left join result on result.request_id = request.id and result.version = request.version
      where request.id = any (${requestIds})
    ) as sized where bytes_before < ${PAGE_BYTES_MAX} order by id ${direction}`.execute(db);
  const open = await vault.decrypterFor(
    rows.flatMap(({ input, service_date: date, outcome_reason: reason, body }) =>
      [input, date, reason, body].filter((value) => value !== null),
    ),
  );
  return new Map(rows.map((row) => [row.id, openRow(open, wanted, row)]));
}

function openRow(open: Decrypter, wanted: Wanted, row: Row): OpenedParts {
  if (row.is_erased) return isNamed(wanted) ? 'other' : { ...NOTHING_LEFT, held: row.held };
  const { id, account_id: accountId } = row;
  const read = <T>(place: string, encrypted: Buffer | null) =>
    encrypted && (JSON.parse(open(accountId, place, encrypted).toString('utf8')) as T);
  try {
    const input = read<RequestInfo>(`request.input:${id}`, row.input);
    if (!input || !isWanted(wanted, input)) return 'other';
    const finding = read<StoredFinding>(`result.body:${id}.${row.version}`, row.body);
    return {
      patient_initials: initialsOf(input.patient_info.name),
      service_date: read<string>(serviceDatePlace(id), row.service_date),
      answer: answerOf(row, finding),
      answer_reason: read<string>(`request.outcome_reason:${id}`, row.outcome_reason),
      held: row.held,
    };
  } catch (err) {
    if (err instanceof DecryptionError) return 'broken';
    throw err;
  }
}

const NOTHING_LEFT = { patient_initials: null, service_date: null, answer: null, answer_reason: null };

const isNamed = ({ memberId, npi }: Wanted): boolean => memberId !== undefined || npi !== undefined;

const isWanted = (
  { memberId, npi }: Wanted,
  { patient_info: patient, provider_info: provider }: RequestInfo,
) =>
  (memberId === undefined || normaliseMemberId(patient.subscriber_id) === normaliseMemberId(memberId)) &&
  (npi === undefined || normaliseNpi(provider.npi) === normaliseNpi(npi));

function answerOf({ outcome }: Row, finding: StoredFinding | null): ShownParts['answer'] {
  if (outcome === 'none') return 'pending';
  if (outcome === 'error_verifying') return 'not_verified';
  const found = finding?.insuranceData.map(({ plan_info: plan }) => plan.eligibility_status) ?? [];
  if (found.includes('Active')) return 'active';
  return found.includes('Inactive') ? 'inactive' : 'unstated';
}

export type SummaryRow = Pick<
  Selectable<Tables['request']>,
  | 'id'
  | 'account_id'
  | 'payer_id'
  | 'payer_name'
  | 'received_at'
  | 'outcome'
  | 'outcome_reason'
  | 'delivery'
  | 'delivery_reason'
  | 'erased_at'
  | 'erased_reason'
  | 'needed_by'
> & {
  readonly channel: QueueName;
  readonly is_overdue: boolean;
  /** When its time in the channel ends; null without a place in the queue, and in `entry` where the route says it. */
  readonly channel_until: Date | null;
  /** Since when its payer's API has not answered; null while it does, and once the request is finished. */
  readonly down_since: Date | null;
  /** A JSON string. */
  readonly account_name: string;
  readonly account_mode: 'live' | 'test';
};

/**
 * Where a request waits, or where it ended: of `request` and its row of `work_queue`, if it has one. An unfinished one that
 * was erased waits nowhere.
 */
export const CHANNEL_NOW = sql<QueueName>`coalesce(work_queue.channel, request.channel, 'entry')`;

/**
 * Of `request`: its first result came, or does not come, later than it is needed. A result at that very time is in time,
 * and what does not say when it is needed is never late.
 */
export const IS_OVERDUE = sql<boolean>`coalesce(request.needed_by < coalesce((
    select applied_at from result as first where first.request_id = request.id and first.version = 1
  ), now()), false)`;

/** Of `work_queue`: see {@link SummaryRow}. */
export const DOWN_SINCE = sql<Date | null>`(
  select since from payer_outage where payer_outage.payer_id = work_queue.payer_id and ended_at is null)`;

/** What a row says by itself of a request in a list. */
export type RowSummary = Omit<RequestSummary, keyof ShownParts>;

/** A row in the API's form. @throws {DecryptionError} when its reason does not open. */
export async function toSummary(
  vault: Vault,
  routes: readonly Route[],
  row: SummaryRow,
): Promise<RowSummary> {
  return {
    request_id: row.id,
    account_id: row.account_id,
    account_name: JSON.parse(row.account_name) as string,
    account_mode: row.account_mode,
    payer_id: row.payer_id,
    payer: row.payer_name,
    received_timestamp: row.received_at.toISOString(),
    state: stateOf(row.outcome, row.delivery),
    error_reason: row.erased_at ? erasedErrorReason(row) : await openErrorReason(vault, row),
    channel: channelIn(routes, row),
    erased_at: row.erased_at?.toISOString() ?? null,
    needed_by: row.needed_by?.toISOString() ?? null,
    overdue: row.is_overdue,
    ...payerWaitOf(routes, row),
  };
}

/** The payer that a request waits for in the channel `api`, since it does not answer; nothing where it does. */
export function payerWaitOf(
  routes: readonly Route[],
  row: Pick<SummaryRow, 'channel' | 'payer_id' | 'outcome' | 'erased_at' | 'channel_until' | 'down_since'>,
): Pick<RequestSummary, 'waiting_for_payer'> {
  const route = routes.find(({ payerId }) => payerId === row.payer_id);
  if (!route || row.outcome !== 'none' || row.erased_at) return {};
  const channel = channelOf(route, row.channel);
  if (channel.source !== 'api' || !isAsked(channel)) return {};
  const since = row.down_since ?? downtimeAt(route, new Date())?.from;
  const until = row.channel_until?.toISOString() ?? null;
  return since ? { waiting_for_payer: { since: since.toISOString(), until } } : {};
}

/** The first channel of its payer's route until it is claimed; `api` where the configuration dropped the payer. */
export function channelIn(
  routes: readonly Route[],
  { channel, payer_id: payerId }: Pick<SummaryRow, 'channel' | 'payer_id'>,
): RequestSummary['channel'] {
  if (channel !== 'entry') return channel;
  const route = routes.find((one) => one.payerId === payerId);
  return route ? channelOf(route, channel).source : 'api';
}
