import * as z from 'zod';
import type { Schemas } from '../create-schemas.ts';
import type { RequestInfo } from '../default-schemas.ts';
import { toValidationErrors, type ValidationError } from '../fault/validation-errors.ts';
import type { Fault } from '../field/text-and-number.ts';
import { judgeGender, judgeNeededBy, judgeServiceDate } from './asked-when.ts';
import { REFERENCE_LENGTH_MAX } from './batch.ts';

/** What a batch says for all of its rows, in headers; undefined: not said. */
export interface BatchDefaults {
  readonly callbackUrl?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly serviceDate?: string | undefined;
  /** As in RFC 3339. */
  readonly neededBy?: string | undefined;
}

/** A row as a request, with what the headers of a single create would say. */
interface AcceptableRow {
  readonly request: RequestInfo;
  /** `YYYY-MM-DD`; null for the day of asking. */
  readonly serviceDate: string | null;
  readonly neededBy: Date | null;
  /** `F`, `M` or `U`; absent: not given. */
  readonly gender?: string;
}

/** A row as judged. A row with faults is rejected. */
export type JudgedRow = { readonly reference: string | null } & (
  | ({ readonly faults: readonly [] } & AcceptableRow)
  | { readonly faults: readonly [ValidationError, ...ValidationError[]] }
);

/** The faults of one row that are reported. */
const ROW_FAULTS_MAX = 20;

/**
 * Judges a row of a batch in the words that a single create would use. Whether its reference is unique is for the
 * caller to know.
 * @param raw the row as parsed from JSON, or made from cells by `rowOfCells`.
 */
export function judgeBatchRow(
  schemas: Pick<Schemas, 'BatchRow'>,
  raw: unknown,
  { defaults = {}, now }: { readonly defaults?: BatchDefaults; readonly now: Date },
): JudgedRow {
  const row = withDefaults(raw, defaults);
  const { data, error } = schemas.BatchRow.safeParse(row);
  const said = isObject(row) ? row : {};
  const reference = Reference.safeParse(said['reference']).data ?? null;
  const day = typeof said['service_date'] === 'string' ? judgeServiceDate(said['service_date'], now) : null;
  const instant = typeof said['needed_by'] === 'string' ? judgeNeededBy(said['needed_by'], now) : null;
  const gender = typeof said['gender'] === 'string' ? judgeGender(said['gender']) : null;
  const faults = [
    ...toValidationErrors(error?.issues ?? [], row),
    ...(isObject(row) && (row['callback_url'] ?? undefined) === undefined
      ? [at('callback_url', MISSING)]
      : []),
    ...faultsOf('service_date', day),
    ...faultsOf('needed_by', instant),
    ...faultsOf('gender', gender && 'malformed' in gender ? gender : null),
  ];
  const [first, ...others] = faults.slice(0, ROW_FAULTS_MAX);
  if (first || !data?.callback_url)
    return { reference, faults: [first ?? at('callback_url', MISSING), ...others] };
  const {
    reference: _,
    service_date: __,
    needed_by: ___,
    gender: ____,
    callback_url: callbackUrl,
    ...request
  } = data;
  return {
    reference,
    faults: [],
    request: { ...request, callback_url: callbackUrl },
    serviceDate: day && 'day' in day ? day.day : null,
    neededBy: instant && 'at' in instant ? instant.at : null,
    ...(gender && 'gender' in gender && { gender: gender.gender }),
  };
}

/** A row's own id; that of a rejected row too, where it has one that fits. */
const Reference = z.string().min(1).max(REFERENCE_LENGTH_MAX);

const MISSING: Fault = { msg: 'Field required', type: 'missing' };

const at = (member: string, { msg, type }: Fault): ValidationError => ({ loc: ['body', member], msg, type });

function faultsOf(
  member: string,
  judged: { readonly malformed: Fault } | { readonly untimely: Fault | null } | null,
): ValidationError[] {
  const fault = judged && ('malformed' in judged ? judged.malformed : judged.untimely);
  return fault ? [at(member, fault)] : [];
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withDefaults(raw: unknown, { callbackUrl, serviceDate, neededBy }: BatchDefaults): unknown {
  if (!isObject(raw)) return raw;
  return {
    ...raw,
    ...(callbackUrl !== undefined && { callback_url: raw['callback_url'] ?? callbackUrl }),
    ...(serviceDate !== undefined && { service_date: raw['service_date'] ?? serviceDate }),
    ...(neededBy !== undefined && { needed_by: raw['needed_by'] ?? neededBy }),
  };
}
