import { Readable } from 'node:stream';
import { BATCH_RESULT_COLUMNS, type BatchResult, FORMULA } from '@insurance-verification/schema';
import type { ParameterizedContext } from 'koa';
import papaparse from 'papaparse';
import type { CallState } from '../procedure/context/app.ts';

interface Item {
  readonly row: number;
}

/** A page of a list, as an operation that answers lines returns it. */
interface ListPage {
  readonly items: readonly Item[];
  readonly next_after: number | null;
}

/** How the items of a list are written, a line each. The last line says that it is the last: a cut-off answer lacks it. */
interface LineFormat {
  readonly mediaType: string;
  readonly heading: string;
  readonly write: (item: Item) => string;
  readonly end: (rowCount: number) => string;
}

/** Answers all pages of a list, page after page, as fast as the client reads. */
export function answerLines(
  koa: ParameterizedContext<CallState>,
  first: unknown,
  pageAt: (after: number) => Promise<unknown>,
): void {
  const isTable =
    koa.state.operation === 'batches.results' &&
    koa.accepts('application/x-ndjson', 'text/csv') === 'text/csv';
  const format = isTable ? RESULTS_CSV : NDJSON;
  koa.type = format.mediaType;
  koa.body = Readable.from(writeLines(first as ListPage, pageAt, format));
}

async function* writeLines(first: ListPage, pageAt: (after: number) => Promise<unknown>, format: LineFormat) {
  let page = first;
  let rowCount = 0;
  yield format.heading;
  for (;;) {
    // A row may have several faults. All of them are on one page.
    rowCount += new Set(page.items.map(({ row }) => row)).size;
    yield page.items.map(format.write).join('');
    if (page.next_after === null) break;
    page = (await pageAt(page.next_after)) as ListPage;
  }
  yield format.end(rowCount);
}

const NDJSON: LineFormat = {
  mediaType: 'application/x-ndjson',
  heading: '',
  write: (item) => `${JSON.stringify(item)}\n`,
  end: (rowCount) => `${JSON.stringify({ end: true, rows: rowCount })}\n`,
};

/** A spreadsheet would run a text that begins like a formula, so such a text gets an apostrophe in front. */
const tableLine = (cells: readonly unknown[]) =>
  `${papaparse.unparse([cells.map((cell) => cell ?? '')], { escapeFormulae: FORMULA })}\r\n`;

const RESULTS_CSV: LineFormat = {
  mediaType: 'text/csv; charset=utf-8',
  heading: tableLine(Object.keys(BATCH_RESULT_COLUMNS)),
  write: (item) => tableLine(Object.values(BATCH_RESULT_COLUMNS).map((read) => read(item as BatchResult))),
  end: (rowCount) => tableLine(Object.keys(BATCH_RESULT_COLUMNS).map((_, index) => ['end', rowCount][index])),
};
