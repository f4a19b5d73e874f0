import { readTable, type Table, writeTable } from './markdown-table.ts';

/** One row's measured cells. A missing one stays a dash. */
export interface Figure {
  /** The figure of the comparison: the floor, or FastAPI. */
  readonly beside?: string;
  readonly service: string;
  /** The service relative to the comparison: the median of the rounds' ratios. */
  readonly ratio?: string;
  /** Microseconds of CPU per operation: node's, its main thread's share, and PostgreSQL's. */
  readonly cpuBeside?: string;
  readonly cpu?: string;
}

interface Row {
  readonly what: string;
  readonly bound: string;
}

/** README's rows in order, and the bound of each. */
export const FIGURE_ROWS = {
  'intake-16': { what: 'requests stored, 16 connections', bound: '≥ 0.7 of the floor' },
  'intake-64': {
    what: 'requests stored, 64 connections',
    bound: '≥ 1.1 of the floor, ≤ 125 µs',
  },
  'fastapi-16': { what: 'the same beside FastAPI, 16 connections', bound: '≥ 2.5 of FastAPI' },
  'fastapi-64': { what: 'the same beside FastAPI, 64 connections', bound: '≥ 3.5 of FastAPI' },
  memory: { what: 'memory at its highest under load', bound: '≤ 200 MB' },
  'delivery-queued': { what: 'queued deliveries to 32 hosts', bound: '≥ 4,200/s, ≤ 340 µs' },
  'graphile-worker': { what: 'the same beside graphile-worker', bound: '≥ 1 of it' },
  'pg-boss': { what: 'the same beside pg-boss', bound: '> 1 of it' },
  'delivery-steady': {
    what: 'accepted to received, 200 results a second',
    bound: 'p50 < 2 ms, p99 < 15 ms',
  },
  'delivery-alone': {
    what: 'accepted to received, 50 a second to one host',
    bound: 'p50 < 10 ms, p99 < 50 ms',
  },
  'delivery-beside-hung': { what: 'the same beside 20 hosts that hang', bound: 'no worse' },
  'delivery-recovery': {
    what: 'a worker killed in the middle of its attempts, until all came again',
    bound: '≤ lease (10 s) + 1 s',
  },
  outputs: { what: 'outputs accepted, 256 callers at once', bound: '≥ 2,000/s, p99 < 250 ms' },
  'work-results': { what: 'the same by verifiers who hold the leases', bound: '≥ 2,000/s, p99 < 250 ms' },
  'api-channel': { what: 'from the post over a payer to the webhook', bound: '≥ 450/s' },
  claims: {
    what: 'a claim of work, 1,000 and 1,000,000 requests waiting',
    bound: 'p99 at most 1.5 of the first',
  },
  volume: {
    what: 'each operation with 4,000 requests and with VOLUME_ROWS, the worst of them',
    bound: 'p99 at most 1.5 of the first',
  },
  x12: { what: 'a 271 of 3.3 KB read into a result, beside its split on delimiters', bound: 'none' },
  consoles: {
    what: '200 open consoles while 50 requests a second come in',
    bound: '< 5 % of a core, < 50 MB',
  },
  start: { what: 'ready on an empty data folder, afterwards', bound: '3 s, 1.5 s' },
} satisfies Record<string, Row>;

export const FIGURES_REGION = 'figures, written by the bench';

const FIGURES_HEAD = [
  'what',
  'floor, or what is beside it',
  'service',
  'ratio',
  'CPU each, beside',
  'CPU each, service',
  'bound',
  'measured',
];

/** The page with these figures' rows rewritten, and all others unchanged. */
export function writeFigures(
  page: string,
  figures: Readonly<Record<string, Figure>>,
  measured: string,
): string {
  const rowsBefore = new Map(readTable(page, FIGURES_REGION).map((cells) => [cells[0], cells]));
  const rows: Table = Object.entries(FIGURE_ROWS).map(([key, row]) => {
    const figure = figures[key];
    return figure === undefined
      ? rowOf(row, rowsBefore.get(row.what)?.slice(1, 6) ?? [], rowsBefore.get(row.what)?.at(-1))
      : rowOf(row, [figure.beside, figure.service, figure.ratio, figure.cpuBeside, figure.cpu], measured);
  });
  return writeTable(page, FIGURES_REGION, [FIGURES_HEAD, ...rows]);
}

function rowOf({ what, bound }: Row, cells: readonly (string | undefined)[], measured = 'not yet'): string[] {
  return [what, ...[0, 1, 2, 3, 4].map((index) => cells[index] ?? '–'), bound, measured];
}
