import { assertIdempotencyKey } from './idempotency-key.ts';

/** What a create may say with its input, in headers. */
export interface CreateHeaders {
  /** 1 to 255 printable ASCII characters, unique to each request, or to each batch. */
  readonly idempotencyKey?: string | undefined;
  /** The day to ask the payer about, `YYYY-MM-DD`; absent: the day of asking. */
  readonly serviceDate?: string | undefined;
  /** When the result is needed; as text in RFC 3339. */
  readonly neededBy?: Date | string | undefined;
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
  callbackUrl,
  label,
}: CreateHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  if (idempotencyKey !== undefined) {
    assertIdempotencyKey(idempotencyKey);
    headers['idempotency-key'] = idempotencyKey;
  }
  if (serviceDate !== undefined) headers['service-date'] = printable('serviceDate', serviceDate);
  if (neededBy !== undefined)
    headers['needed-by'] = printable('neededBy', neededBy instanceof Date ? isoOf(neededBy) : neededBy);
  if (callbackUrl !== undefined) {
    if (!URL.canParse(callbackUrl)) throw new TypeError('callbackUrl must be an http or https address');
    headers['callback-url'] = new URL(callbackUrl).href;
  }
  if (label !== undefined) {
    if (!/^(?! )[\x20-\x7e]{1,200}(?<! )$/.test(label))
      throw new TypeError('label must be 1 to 200 printable ASCII characters, without a space at an end');
    headers['batch-label'] = label;
  }
  return headers;
}

function isoOf(time: Date): string {
  if (Number.isNaN(time.getTime())) throw new TypeError('neededBy must be a valid date');
  return time.toISOString();
}

function printable(name: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,64}$/.test(value))
    throw new TypeError(`${name} must be text without spaces, as 2026-12-03 or 2026-11-26T17:00:00Z`);
  return value;
}
