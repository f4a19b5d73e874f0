import { sql } from 'kysely';
import type { Store } from '../open-store.ts';

/** One interchange with a payer: what was asked, what came back, what it was read as. */
export interface X12Exchange {
  readonly requestId: string;
  readonly accountId: string;
  readonly payerId: string;
  /** ISA13 of the inquiry. */
  readonly controlNumber: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Null when no status line came. */
  readonly statusCode: number | null;
  /** Null when the answer was a result. */
  readonly errorReason: string | null;
  /** Codes alone: they stay in the clear. */
  readonly payerCodes: readonly string[];
  /** The 270 as it was sent. */
  readonly inquiry: string;
  /** The answer as it came; null when nothing came. */
  readonly answer: Uint8Array | null;
}

/** The next control number: no two inquiries have the same, whoever sends them and whenever. */
export async function nextX12ControlNumber({ db }: Store): Promise<number> {
  const { rows } = await sql<{ number: string }>`select nextval('x12_control_number') as number`.execute(db);
  return Number(rows[0]?.number);
}

/** Keeps an exchange as evidence, its texts sealed. The same one again changes nothing. */
export async function keepX12Exchange({ db, vault }: Store, exchange: X12Exchange): Promise<void> {
  const { accountId, requestId, controlNumber, answer } = exchange;
  const owner = { accountId };
  await db
    .insertInto('x12_exchange')
    .values({
      request_id: requestId,
      control_number: controlNumber,
      account_id: accountId,
      payer_id: exchange.payerId,
      started_at: exchange.startedAt,
      duration_ms: Math.round(exchange.durationMs),
      status_code: exchange.statusCode,
      error_reason: exchange.errorReason,
      payer_codes: [...exchange.payerCodes],
      inquiry: await vault.seal(owner, placeOf('inquiry', requestId, controlNumber), exchange.inquiry),
      answer: answer && (await vault.seal(owner, placeOf('answer', requestId, controlNumber), answer)),
    })
    .onConflict((conflict) => conflict.columns(['request_id', 'control_number']).doNothing())
    .execute();
}

/** The exchanges about one request, first to last, opened. */
export async function listX12Exchanges({ db, vault }: Store, requestId: string): Promise<X12Exchange[]> {
  const rows = await db
    .selectFrom('x12_exchange')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy('started_at')
    .execute();
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
      inquiry: String(await vault.open(placeOf('inquiry', requestId, row.control_number), row.inquiry)),
      answer: row.answer && (await vault.open(placeOf('answer', requestId, row.control_number), row.answer)),
    })),
  );
}

function placeOf(column: 'inquiry' | 'answer', requestId: string, controlNumber: number): string {
  return `x12_exchange.${column}:${requestId}/${controlNumber}`;
}
