import { Readable } from 'node:stream';
import { type BatchResult, FORMULA, type RequestBenefits } from '@insurance-verification/schema';
import type { ParameterizedContext } from 'koa';
import papaparse from 'papaparse';
import type { CallState } from '../procedure/context/app.ts';

/** A page of a list, as an operation that answers lines returns it. */
interface ListPage {
  readonly items: readonly object[];
  readonly next_cursor: string | null;
}

/** How the items of a list are written, a line each. The last line says that it is the last: a cut-off answer lacks it. */
interface LineFormat {
  readonly mediaType: string;
  readonly heading: string;
  readonly write: (item: object) => string;
  readonly end: (itemCount: number) => string;
}

/** Answers all pages of a list, page after page, as fast as the client reads. */
export function answerLines(
  koa: ParameterizedContext<CallState>,
  first: unknown,
  pageAt: (cursor: string) => Promise<unknown>,
): void {
  const isTable =
    koa.state.operation === 'batches.results' &&
    koa.accepts('application/x-ndjson', 'text/csv') === 'text/csv';
  const format = isTable ? RESULTS_CSV : NDJSON;
  koa.type = format.mediaType;
  koa.body = Readable.from(writeLines(first as ListPage, pageAt, format));
}

async function* writeLines(
  first: ListPage,
  pageAt: (cursor: string) => Promise<unknown>,
  format: LineFormat,
) {
  let page = first;
  let itemCount = 0;
  yield format.heading;
  for (;;) {
    itemCount += page.items.length;
    yield page.items.map(format.write).join('');
    if (page.next_cursor === null) break;
    page = (await pageAt(page.next_cursor)) as ListPage;
  }
  yield format.end(itemCount);
}

const NDJSON: LineFormat = {
  mediaType: 'application/x-ndjson',
  heading: '',
  write: (item) => `${JSON.stringify(item)}\n`,
  end: (itemCount) => `${JSON.stringify({ end: true, rows: itemCount })}\n`,
};

/** The columns of results as a table: the coverage that decides the outcome, and what a front desk asks for first. */
const COLUMNS: Readonly<Record<string, (result: BatchResult) => unknown>> = {
  row: ({ row }) => row,
  reference: ({ reference }) => reference,
  request_id: ({ request_id: requestId }) => requestId,
  outcome: ({ outcome }) => outcome,
  error: ({ error }) => error,
  payer_name: (result) => coverageOf(result)?.plan_info.payer_name,
  plan_name: (result) => coverageOf(result)?.plan_info.plan_name,
  eligibility_status: (result) => coverageOf(result)?.plan_info.eligibility_status,
  start_date: (result) => coverageOf(result)?.plan_info.start_date,
  end_date: (result) => coverageOf(result)?.plan_info.end_date,
  covered_codes: (result) => coverageOf(result)?.plan_info.cpt_code_coverage?.join(' '),
  verification_time: (result) => coverageOf(result)?.verification_time,
  verification_source: (result) => coverageOf(result)?.verification_source,
  copayment: (result) => valueOf(planOf(result)?.copayment),
  coinsurance: (result) => valueOf(planOf(result)?.coinsurance),
  deductible: (result) => valueOf(planOf(result)?.deductible.individual.total),
  deductible_remaining: (result) => valueOf(planOf(result)?.deductible.individual.remaining),
  out_of_pocket: (result) => valueOf(planOf(result)?.out_of_pocket.individual.total),
  out_of_pocket_remaining: (result) => valueOf(planOf(result)?.out_of_pocket.individual.remaining),
};

/** The place of the coverage that decides the outcome. */
function placeOf({ outcome, result }: BatchResult): number {
  const status = outcome === 'active' ? 'Active' : outcome === 'inactive' ? 'Inactive' : undefined;
  const place = result?.findIndex(({ plan_info: plan }) => plan.eligibility_status === status) ?? -1;
  return Math.max(place, 0);
}

const coverageOf = (result: BatchResult) => result.result?.[placeOf(result)];

const planOf = (result: BatchResult) => result.benefits?.coverages[placeOf(result)]?.summary.plan.in_network;

type Reading = RequestBenefits['coverages'][number]['summary']['plan']['in_network']['copayment'];

const valueOf = (reading: Reading | undefined) => (reading && 'value' in reading ? reading.value : undefined);

/** A spreadsheet would run a text that begins like a formula, so such a text gets an apostrophe in front. */
const tableLine = (cells: readonly unknown[]) =>
  `${papaparse.unparse([cells.map((cell) => cell ?? '')], { escapeFormulae: FORMULA })}\r\n`;

const RESULTS_CSV: LineFormat = {
  mediaType: 'text/csv; charset=utf-8',
  heading: tableLine(Object.keys(COLUMNS)),
  write: (item) => tableLine(Object.values(COLUMNS).map((read) => read(item as BatchResult))),
  end: (itemCount) => tableLine(Object.keys(COLUMNS).map((_, index) => ['end', itemCount][index])),
};
