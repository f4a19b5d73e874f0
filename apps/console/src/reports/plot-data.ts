import { duration } from '../look/time/time.tsx';
import { type Report, type Row, stepsOf } from './use-report.ts';

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
  const date = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: zone }).format(
    ms,
  );
  if (step === 'day') return date;
  const clock = new Intl.DateTimeFormat('en-US', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(ms);
  return `${date} ${clock}`;
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
