import { sql } from 'kysely';
import type { Store } from '../open-store.ts';
import { keepX12ExchangesFunction } from './x12-exchange.sql.ts';

/** One interchange with a payer: the inquiry, the answer, and how it was read. */
export interface PlainX12Exchange {
  readonly requestId: string;
  readonly accountId: string;
  readonly payerId: string;
  /** ISA13 of the inquiry. */
  readonly controlNumber: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Null when no status line arrived. */
  readonly statusCode: number | null;
  /** Null when the answer was a result. */
  readonly errorReason: string | null;
  /** Codes only, so they stay unencrypted. */
  readonly payerCodes: readonly string[];
  /** The 270 as sent. */
  readonly inquiry: string;
  /** The answer as received; null when nothing arrived. */
  readonly answer: Uint8Array | null;
}

/**
 * Reserves control numbers, unique across senders and restarts. Taken in bulk, since a call per number cost the
 * channel a tenth of its throughput; numbers lost with a process are never used.
 */
export async function nextX12ControlNumbers({ db }: Store, count: number): Promise<number[]> {
  const { rows } = await sql<{ number: string }>`
    select nextval('x12_control_number') as number from generate_series(1, ${count}::int)`.execute(db);
  return rows.map(({ number }) => Number(number));
}

/** Stores exchanges as evidence, with their texts encrypted. Idempotent. */
export async function keepX12Exchanges(
  { db, vault }: Store,
  exchanges: readonly PlainX12Exchange[],
): Promise<void> {
  const encrypt = (
    { accountId, requestId, controlNumber }: PlainX12Exchange,
    column: 'inquiry' | 'answer',
    text: string | Uint8Array,
  ) => vault.encrypt({ accountId }, placeOf(column, requestId, controlNumber), text);
  const inquiries = await Promise.all(exchanges.map((one) => encrypt(one, 'inquiry', one.inquiry)));
  const answers = await Promise.all(
    exchanges.map(async (one) => one.answer && encrypt(one, 'answer', one.answer)),
  );
  await sql`select ${sql.raw(keepX12ExchangesFunction.name)}(
    ${exchanges.map((one) => one.requestId)}, ${exchanges.map((one) => one.controlNumber)},
    ${exchanges.map((one) => one.accountId)}, ${exchanges.map((one) => one.payerId)},
    ${exchanges.map((one) => one.startedAt)}, ${exchanges.map((one) => Math.round(one.durationMs))},
    ${exchanges.map((one) => one.statusCode)}, ${exchanges.map((one) => one.errorReason)},
    ${exchanges.map((one) => JSON.stringify(one.payerCodes))}::jsonb[], ${inquiries}, ${answers})`.execute(
    db,
  );
}

/** The exchanges about one request, decrypted, in chronological order. */
export async function readX12Exchanges({ db, vault }: Store, requestId: string): Promise<PlainX12Exchange[]> {
  const rows = await db
    .selectFrom('x12_exchange')
    .innerJoin('request', 'request.id', 'request_id')
    .selectAll('x12_exchange')
    .select('request.account_id as owner_id')
    .where('request_id', '=', requestId)
    .where(sql<boolean>`inquiry <> ''`) // not erased meanwhile
    .orderBy('started_at')
    .orderBy('control_number')
    .execute();
  const openText = (row: (typeof rows)[number], column: 'inquiry' | 'answer', encrypted: Buffer) =>
    vault.decrypt({ accountId: row.owner_id }, placeOf(column, requestId, row.control_number), encrypted);
  return Promise.all(
    rows.map(async (row) => ({
      requestId,
      accountId: row.account_id,
      payerId: row.payer_id,
      controlNumber: row.control_number,
      startedAt: row.started_at,
      durationMs: row.duration_ms,
      statusCode: row.status_code,
      errorReason: row.error_reason,
      payerCodes: row.payer_codes,
      inquiry: String(await openText(row, 'inquiry', row.inquiry)),
      answer: row.answer && (await openText(row, 'answer', row.answer)),
    })),
  );
}

function placeOf(column: 'inquiry' | 'answer', requestId: string, controlNumber: number): string {
  return `x12_exchange.${column}:${requestId}/${controlNumber}`;
}
