import { assertIdempotencyKey } from './idempotency-key.ts';

/** What a create may say with its input, in headers. */
export interface CreateHeaders {
  /** 1 to 255 printable ASCII characters, unique to each request, or to each batch. */
  readonly idempotencyKey?: string | undefined;
  /** The day to ask the payer about, `YYYY-MM-DD`; absent: the day of asking. */
  readonly serviceDate?: string | undefined;
  /** When the result is needed; as text in RFC 3339. */
  readonly neededBy?: Date | string | undefined;
  /** The patient's gender, `F`, `M` or `U`, for a payer that asks for it. */
  readonly gender?: string | undefined;
  /** Only of a batch: where the results of rows without a `callback_url` are posted. */
  readonly callbackUrl?: string | undefined;
  /** Only of a batch: a name for people, printable ASCII; no patient's data. */
  readonly label?: string | undefined;
}

/** @throws TypeError for what no header can carry; what the service refuses, it refuses with a 422. */
export function createHeaders({
  idempotencyKey,
  serviceDate,
  neededBy,
  gender,
  callbackUrl,
  label,
}: CreateHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  if (idempotencyKey !== undefined) {
    assertIdempotencyKey(idempotencyKey);
    headers['idempotency-key'] = idempotencyKey;
  }
  const say = (header: string, name: string, value: string | undefined, lengthMax?: number) => {
    if (value !== undefined) headers[header] = printable(name, value, lengthMax);
  };
  say('service-date', 'serviceDate', serviceDate);
  say('needed-by', 'neededBy', neededBy instanceof Date ? isoOf(neededBy) : neededBy);
  say('gender', 'gender', gender);
  say('callback-url', 'callbackUrl', callbackUrl, 2_048);
  if (label !== undefined) headers['batch-label'] = printableLabel(label);
  return headers;
}

function isoOf(time: Date): string {
  if (Number.isNaN(time.getTime())) throw new TypeError('neededBy must be a valid date');
  return time.toISOString();
}

function printable(name: string, value: unknown, lengthMax = 64): string {
  if (typeof value !== 'string' || value.length > lengthMax || !/^[\x21-\x7e]+$/.test(value))
    throw new TypeError(
      `${name} must be text without spaces, as 2026-12-03, 2026-11-26T17:00:00Z or https://clinic.example/verified`,
    );
  return value;
}

function printableLabel(value: unknown): string {
  if (typeof value !== 'string' || !/^(?! )[\x20-\x7e]{1,100}(?<! )$/.test(value))
    throw new TypeError('label must be 1 to 100 printable ASCII characters, without a space at an end');
  return value;
}
