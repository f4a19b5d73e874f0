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

export type RangeInput = ReturnType<typeof inputOf>;

/** One report, read again each minute. */
export function useReport<Report>(
  name: string,
  shown: Shown,
  ask: (input: RangeInput, signal: AbortSignal) => Promise<Report>,
) {
  return useQuery({
    queryKey: ['reports', name, shown],
    queryFn: ({ signal }) => ask(inputOf(shown), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}

type TimesReport = Outputs['reports']['times'];

export const useTimes = (of: TimesReport['of'], shown: Shown) =>
  useReport(`times.${of}`, shown, (input, signal) => api.reports.times.query({ of, ...input }, { signal }));
