import { useId, useState } from 'react';
import type { Outputs } from '../../api/api.ts';
import { Field, Select } from '../../look/form/field.tsx';
import { channelName } from '../channel-name.ts';
import { PlotCard, timeContent } from '../plot-card.tsx';
import { count, headOf, time } from '../plot-data.ts';
import { SPANS, type Shown, useTimes } from '../use-report.ts';

type Report = Outputs['reports']['times'];

interface TimesPlotProps {
  readonly of: 'result' | 'handling';
  readonly title: string;
  readonly shown: Shown;
}

/** Durations in one channel: the median, the 90th and the 99th percentile. */
export function TimesPlot({ of, title, shown }: TimesPlotProps) {
  const query = useTimes(of, shown);
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const id = useId();
  const totals = byCount(query.data?.totals ?? []);
  const group = totals.some((total) => total.group === chosen) ? chosen : totals[0]?.group;
  const choice = totals.length > 1 && (
    <Field label="Channel" htmlFor={id}>
      <Select id={id} value={group ?? ''} onChange={(event) => setChosen(event.target.value || null)}>
        {totals.map((total) => (
          <option key={total.group} value={total.group ?? ''}>
            {channelName(total.group)}
          </option>
        ))}
      </Select>
    </Field>
  );
  return (
    <PlotCard title={title} unit="by channel; within 4.5 %" query={query} choice={choice}>
      {(report) => contentOf(title, report, group ?? null, SPANS[shown.span].step)}
    </PlotCard>
  );
}

const byCount = (totals: Report['totals']) => totals.toSorted((one, other) => other.count - one.count);

function contentOf(title: string, report: Report, group: string | null, step: 'hour' | 'day') {
  const total = report.totals.find((one) => one.group === group);
  const items = report.items.filter((item) => item.group === group);
  const sentence =
    total === undefined || total.p50_ms === null || total.p90_ms === null
      ? 'Nothing was timed in this time.'
      : `${channelName(group)}: half of ${count(total.count)} took up to ${time(total.p50_ms)}, nine of ten up to ${time(total.p90_ms)}.`;
  return timeContent(title, sentence, timesData(report, items, step));
}

/** The three quantiles of these steps; empty steps of the report are gaps. */
export function timesData(report: Report, items: Report['items'], step: 'hour' | 'day') {
  const head = headOf(report, step);
  const byTime = new Map(items.map((item) => [Date.parse(item.at), item]));
  const line = (name: string, field: 'p50_ms' | 'p90_ms' | 'p99_ms') => ({
    name,
    values: head.times.map((ms) => byTime.get(ms)?.[field] ?? null),
  });
  return {
    ...head,
    lines: [line('p50', 'p50_ms'), line('p90', 'p90_ms'), line('p99', 'p99_ms')],
    format: time,
    isLogarithmic: true as const,
  };
}
