import { useId, useState } from 'react';
import { Field, Select } from '../../look/form/field.tsx';
import { channelName } from '../channel-name.ts';
import { PlotCard, timeContent } from '../plot-card.tsx';
import { count, headOf, lineOf, time } from '../plot-data.ts';
import { type Report, type Row, type Shown, stepsOf, totalsOf, useReport } from '../use-report.ts';

interface TimesPlotProps {
  readonly of: 'result_times' | 'handling_times';
  readonly title: string;
  readonly shown: Shown;
}

/** Durations in one channel: the median, the 90th and the 99th percentile. */
export function TimesPlot({ of, title, shown }: TimesPlotProps) {
  const query = useReport(of, shown);
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const id = useId();
  const totals = byCount(query.data ? totalsOf(query.data) : []);
  const { channel = null } = totals.find((total) => total.channel === chosen) ?? totals[0] ?? {};
  const choice = totals.length > 1 && (
    <Field label="Channel" htmlFor={id}>
      <Select id={id} value={channel ?? ''} onChange={(event) => setChosen(event.target.value || null)}>
        {totals.map((total) => (
          <option key={total.channel} value={total.channel ?? ''}>
            {channelName(total.channel)}
          </option>
        ))}
      </Select>
    </Field>
  );
  return (
    <PlotCard title={title} unit="by channel; within 4.5 %" query={query} choice={choice}>
      {(report) => contentOf(title, report, channel)}
    </PlotCard>
  );
}

const byCount = (totals: readonly Row[]) =>
  totals.toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0));

function contentOf(title: string, report: Report, channel: string | null) {
  const isOfChannel = (row: Row) => row.channel === channel;
  const total = totalsOf(report).find(isOfChannel);
  const sentence =
    typeof total?.p50_ms === 'number' && typeof total.p90_ms === 'number'
      ? `${channelName(channel)}: half of ${count(total.count ?? 0)} took up to ${time(total.p50_ms)}, nine of ten up to ${time(total.p90_ms)}.`
      : 'Nothing was timed in this time.';
  return timeContent(title, sentence, timesData(report, stepsOf(report).filter(isOfChannel)));
}

/** The three quantiles of these steps; empty steps of the report are gaps. */
export function timesData(report: Report, steps: readonly Row[]) {
  const head = headOf(report);
  return {
    ...head,
    lines: [
      lineOf('p50', head.times, steps, (row) => row.p50_ms),
      lineOf('p90', head.times, steps, (row) => row.p90_ms),
      lineOf('p99', head.times, steps, (row) => row.p99_ms),
    ],
    format: time,
    isLogarithmic: true as const,
  };
}
