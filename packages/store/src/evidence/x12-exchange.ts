import { CompiledQuery, sql } from 'kysely';
import { binaryArray } from '../functions/binary-array.ts';
import { PREPARED } from '../functions/prepared-call.ts';
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
  /** Which of the request's inquiries it is of, from 1. Retries share it. */
  readonly inquiryNumber?: number;
  /** The codes that it asked for; absent where it asked for none, or the answer says nothing of the codes that the payer takes. */
  readonly codes?: ExchangeCodes;
}

/** The lists of procedure codes: CDT, and CPT with HCPCS. */
export type CodeSystem = 'dental' | 'medical';

/** How an answer treats the codes of its inquiry, by their list. */
export type ExchangeCodes = Readonly<Partial<Record<CodeSystem, CodeCounts>>>;

/** How an answer treats the codes of one list. */
export interface CodeCounts {
  readonly asked: number;
  /** Of them, those that it speaks of. */
  readonly answered: number;
  /** Of them, those that it rejects: by the rejection of the inquiry (AAA 15, 33, 52 to 55), or one by one. */
  readonly refused: number;
  /** How many the inquiry asked for, of both lists. */
  readonly together: number;
  /** How many of the request's it left out, since the payer takes one at a time. */
  readonly leftOut: number;
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
export async function keepX12Exchanges(store: Store, exchanges: readonly PlainX12Exchange[]): Promise<void> {
  await store.db.executeQuery(await prepareExchanges(store, exchanges));
}

/** Prepares the statement of {@link keepX12Exchanges}. */
export async function prepareExchanges(
  { vault }: Pick<Store, 'vault'>,
  exchanges: readonly PlainX12Exchange[],
): Promise<CompiledQuery> {
  const encrypt = (
    { accountId, requestId, controlNumber }: PlainX12Exchange,
    column: 'inquiry' | 'answer',
    text: string | Uint8Array,
  ) => vault.encrypt({ accountId }, placeOf(column, requestId, controlNumber), text);
  const inquiries = await Promise.all(exchanges.map((one) => encrypt(one, 'inquiry', one.inquiry)));
  const answers = await Promise.all(
    exchanges.map(async (one) => one.answer && encrypt(one, 'answer', one.answer)),
  );
  const countsOf = (system: CodeSystem) =>
    exchanges.map(({ codes }) => (codes?.[system] ? JSON.stringify(toColumn(codes[system])) : null));
  const text = (elementOf: (one: PlainX12Exchange) => string | null) =>
    binaryArray('text', exchanges, elementOf);
  const numbers = (elementOf: (one: PlainX12Exchange) => number | null) =>
    binaryArray('integer', exchanges, elementOf);
  return CompiledQuery.raw(CALL, [
    text((one) => one.requestId),
    numbers((one) => one.controlNumber),
    text((one) => one.accountId),
    text((one) => one.payerId),
    exchanges.map((one) => one.startedAt),
    numbers((one) => Math.round(one.durationMs)),
    numbers((one) => one.statusCode),
    text((one) => one.errorReason),
    exchanges.map((one) => JSON.stringify(one.payerCodes)),
    binaryArray('bytea', inquiries, (bytes) => bytes),
    binaryArray('bytea', answers, (bytes) => bytes),
    numbers((one) => one.inquiryNumber ?? null),
    countsOf('dental'),
    countsOf('medical'),
  ]);
}

const CALL = `select ${keepX12ExchangesFunction.name}(${Array.from({ length: 14 }, (_, index) => `$${index + 1}`).join(', ')}) ${PREPARED}`;

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
      ...(row.inquiry_number !== null && { inquiryNumber: row.inquiry_number }),
      ...codesOf(row),
    })),
  );
}

function toColumn({ asked, answered, refused, together, leftOut }: CodeCounts): number[] {
  return [asked, answered, refused, together, leftOut];
}

function toCounts([
  asked = 0,
  answered = 0,
  refused = 0,
  together = 0,
  leftOut = 0,
]: readonly number[]): CodeCounts {
  return { asked, answered, refused, together, leftOut };
}

function codesOf({
  dental_codes: dental,
  medical_codes: medical,
}: {
  readonly dental_codes: readonly number[] | null;
  readonly medical_codes: readonly number[] | null;
}): Pick<PlainX12Exchange, 'codes'> {
  if (dental === null && medical === null) return {};
  return {
    codes: { ...(dental && { dental: toCounts(dental) }), ...(medical && { medical: toCounts(medical) }) },
  };
}

/** How a payer treated the codes of one list in an inquiry. */
export interface CodeAnswer extends CodeCounts {
  readonly system: CodeSystem;
  readonly at: Date;
}

/** The answers of a list that show whether a payer takes its codes. */
export const CODE_ANSWER_COUNT = 20;

/** A payer's last answers to inquiries for codes, {@link CODE_ANSWER_COUNT} of each list, the latest first. */
export async function readCodeAnswers({ db }: Store, payerId: string): Promise<CodeAnswer[]> {
  const ofSystem = (system: CodeSystem) => {
    const column = sql.ref(`${system}_codes`);
    return sql`(select ${sql.lit(system)} as system, ${column} as codes, recorded_at as at
      from x12_exchange where payer_id = ${payerId} and ${column} is not null
      order by recorded_at desc limit ${sql.lit(CODE_ANSWER_COUNT)})`;
  };
  const { rows } = await sql<{ system: CodeSystem; codes: number[]; at: Date }>`
    select * from (${ofSystem('dental')} union all ${ofSystem('medical')}) as answer order by at desc`.execute(
    db,
  );
  return rows.map(({ system, codes, at }) => ({ system, at, ...toCounts(codes) }));
}

function placeOf(column: 'inquiry' | 'answer', requestId: string, controlNumber: number): string {
  return `x12_exchange.${column}:${requestId}/${controlNumber}`;
}
