import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Outputs } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';

/** The time that all plots of the page show, and whose requests. */
export interface Shown {
  readonly span: Span;
  readonly zone: string;
  readonly account: string | undefined;
}

/** How far back the plots reach. */
export type Span = '24h' | '7d' | '31d';

export const SPANS: Readonly<Record<Span, { name: string; hours: number; step: 'hour' | 'day' }>> = {
  '24h': { name: 'Last 24 hours', hours: 24, step: 'hour' },
  '7d': { name: 'Last 7 days', hours: 168, step: 'hour' },
  '31d': { name: 'Last 31 days', hours: 744, step: 'day' },
};

export type Report = Outputs['reports']['get'];
export type Row = Report['items'][number];
type Count = { [Name in keyof Row]-?: Name extends `${string}count` ? Name : never }[keyof Row];

const HOUR_MS = 3_600_000;

/** Asked at each read: the range ends now. */
function inputOf({ span, zone, account }: Shown) {
  const { hours, step } = SPANS[span];
  const until = Math.ceil(serverNow() / HOUR_MS) * HOUR_MS;
  return {
    from: new Date(until - hours * HOUR_MS).toISOString(),
    until: new Date(until).toISOString(),
    step,
    zone,
    ...(account !== undefined && { account_id: account }),
  };
}

/** One report, read again each minute; of the queue, four times as often. */
export const useReport = (of: Report['of'], shown: Shown) =>
  useQuery({
    queryKey: ['reports', of, shown],
    queryFn: ({ signal }) => api.reports.get.query({ of, ...inputOf(shown) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: of === 'queue' ? 15_000 : 60_000,
  });

/** Rows over the whole time, or of now. */
export const totalsOf = ({ items }: Report): Row[] => items.filter(({ at }) => at === null);

/** Rows of single steps. */
export const stepsOf = ({ items }: Report): Row[] => items.filter(({ at }) => at !== null);

/** The sum of a figure. */
export const sumOf = (rows: readonly Row[], name: Count): number =>
  rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
