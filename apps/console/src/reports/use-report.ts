import { VerificationSource } from '@insurance-verification/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Outputs } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { createTurns } from '../api/turns.ts';
import { timeIn } from '../look/clock.ts';
import { duration } from '../look/time.tsx';
import { CHANNELS } from '../words/request-words.ts';

/** The time that all plots of the page show, and whose requests. */
export interface Shown {
  readonly span: Span;
  readonly zone: string;
  readonly account: string | undefined;
}

/** How far back the plots reach. */
type Span = '24h' | '7d' | '31d';

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

const inTurn = createTurns();

/**
 * One report, read again each minute; of the queue, four times as often. The page reads two reports at a time: eight at
 * once over a month of ten million requests share the database's processors, and one of them reached its time limit.
 */
export const useReport = (of: Report['of'], shown: Shown) =>
  useQuery({
    queryKey: ['reports', of, shown],
    queryFn: ({ signal }) =>
      inTurn(of.endsWith('_times') ? 'times' : 'counts', () =>
        api.reports.get.query({ of, ...inputOf(shown) }, { signal }),
      ),
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

/** One line of a plot. */
export interface PlotLine {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** A goal that the other lines are measured against: thin and grey. */
  readonly isGoal?: true;
}

/** What a plot over time shows; the table and the file show the same. */
export interface PlotData {
  /** The begins of the steps, in milliseconds. */
  readonly times: readonly number[];
  readonly step: 'hour' | 'day';
  readonly zone: string;
  /** The whole time of the report, however few steps have a value. */
  readonly from: string;
  readonly until: string;
  readonly lines: readonly PlotLine[];
  /** A value with its unit. */
  readonly format: (value: number) => string;
  /** Durations span four orders of magnitude: each step up is a factor. */
  readonly isLogarithmic?: true;
  readonly max?: number;
  /** Whole numbers: no step of the axis is a part of one. */
  readonly isWhole?: true;
}

export const count = (value: number): string => Math.round(value).toLocaleString('en-US');
export const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
export const time = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : seconds(ms / 1_000));

const seconds = (value: number): string => (value < 10 ? `${Number(value.toFixed(1))} s` : duration(value));

/** When a step begins, as short as its length allows. */
export function stepName(ms: number, { step, zone }: Pick<PlotData, 'step' | 'zone'>): string {
  if (step === 'hour') return timeIn(new Date(ms).toISOString(), zone);
  return new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: zone }).format(ms);
}

/** The time that a plot covers, as its report states it. */
export const headOf = (report: Report) => ({
  times: [...new Set(stepsOf(report).map(msOf))].toSorted((one, other) => one - other),
  step: report.step,
  zone: report.zone,
  from: report.from,
  until: report.until,
});

/** One line of a report: a value for each of its steps, null where a step has no row. */
export function lineOf(
  name: string,
  times: readonly number[],
  rows: readonly Row[],
  valueOf: (row: Row) => number | null | undefined,
): PlotLine {
  const byTime = new Map(rows.map((row) => [msOf(row), row]));
  return {
    name,
    values: times.map((ms) => {
      const row = byTime.get(ms);
      return (row && valueOf(row)) ?? null;
    }),
  };
}

const msOf = ({ at }: Row): number => Date.parse(at ?? '');

/** `requests an hour`, `outputs a day`. */
export const perStep = (what: string, step: PlotData['step']): string =>
  `${what} ${step === 'hour' ? 'an' : 'a'} ${step}`;

/** A channel as people say it; null: none. */
export function channelName(channel: string | null | undefined): string {
  if (channel === null || channel === undefined) return 'No channel';
  const { data: known } = VerificationSource.safeParse(channel);
  return known === undefined ? channel : CHANNELS[known];
}
