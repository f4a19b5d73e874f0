import type { Erasure, ErasureCertificate } from '@insurance-verification/schema';
import { type Selectable, sql } from 'kysely';
import { accountNameOf } from '../../access/accounts/account-name.ts';
import { subjectNameOf } from '../../access/subject-name.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';

/** How long an erasure that was asked for can be confirmed. */
const CONFIRMABLE_DAYS = 7;

/** Until when it can be confirmed. A column of a query on `erasure`. */
const lapsesAt = sql<Date>`(erasure.asked_at + make_interval(days => ${sql.lit(CONFIRMABLE_DAYS)}))`;

/** After so many wrong endings it has to be asked for again: four characters are guessed in some thousand tries. */
const WRONG_COUNT_MAX = 5;

/** It is done, or can be confirmed. */
export const isStanding = sql<boolean>`(erasure.erased_at is not null
  or (${lapsesAt} > now() and erasure.wrong_count < ${sql.lit(WRONG_COUNT_MAX)}))`;

/** The line of the audit that has the certificate; null once its month was dropped. */
const certificateLine = sql<string | null>`(
  select details from access_log line
  where line.request_id = erasure.request_id and line.operation = 'erasures.confirm' and line.outcome = 'done'
  order by line.id limit 1)`;

/** Erasures with all that the API shows of them. */
export function selectErasures(db: Store['db']) {
  return db
    .selectFrom('erasure')
    .innerJoin('request', 'request.id', 'erasure.request_id')
    .selectAll('erasure')
    .select(accountNameOf('request.account_id').as('account_name'))
    .select(subjectNameOf('erasure.asked_by').as('asked_by_name'))
    .select(subjectNameOf('erasure.confirmed_by').as('confirmed_by_name'))
    .select(['request.account_id', lapsesAt.as('lapses_at'), certificateLine.as('line')]);
}

type ErasureRow = Selectable<Tables['erasure']> & {
  readonly account_id: string;
  /** JSON strings. */
  readonly account_name: string;
  readonly asked_by_name: string | null;
  readonly confirmed_by_name: string | null;
  readonly lapses_at: Date;
  readonly line: string | null;
};

/** A row in the API's form. */
export function toErasure(row: ErasureRow): Erasure {
  return {
    erasure_id: row.id,
    request_id: row.request_id,
    account_id: row.account_id,
    account_name: JSON.parse(row.account_name) as string,
    reason: row.reason,
    asked_by: row.asked_by,
    asked_by_name: JSON.parse(row.asked_by_name ?? 'null') as string | null,
    asked_at: row.asked_at.toISOString(),
    lapses_at: row.erased_at ? null : row.lapses_at.toISOString(),
    confirmed_by: row.confirmed_by,
    confirmed_by_name: JSON.parse(row.confirmed_by_name ?? 'null') as string | null,
    erased_at: row.erased_at?.toISOString() ?? null,
    certificate: row.erased_at && row.line !== null ? certificateIn(row.line) : null,
  };
}

const certificateIn = (details: string) =>
  (JSON.parse(details) as { readonly certificate: ErasureCertificate }).certificate;
