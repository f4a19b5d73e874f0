import { PlotCard, timeContent } from '../plot-card.tsx';
import { count, percent, time } from '../plot-data.ts';
import { type Shown, stepsOf, sumOf, totalsOf, useReport } from '../use-report.ts';
import { timesData } from './times-plot.tsx';

const TITLE = 'From accepted to received';

/** How long a result took to its receiver, and how webhook attempts ended. */
export function DeliveriesPlot({ shown }: { readonly shown: Shown }) {
  const times = useReport('delivery_times', shown);
  const reasons = useReport('delivery_reasons', shown);
  return (
    <PlotCard
      title={TITLE}
      unit="deliveries; within 4.5 %"
      query={reasons.data === undefined ? reasons : times}
    >
      {(report) => {
        const [total] = totalsOf(report);
        const ends = reasons.data?.items ?? [];
        const attempts = sumOf(ends, 'count');
        const failed = ends.filter(({ reason }) => reason !== 'succeeded');
        const succeeded = attempts - sumOf(failed, 'count');
        const others = failed
          .map(({ reason, count: n }) => `${reason?.replaceAll('_', ' ')} ${count(n ?? 0)}`)
          .join(', ');
        const took =
          typeof total?.p50_ms === 'number' && typeof total.p90_ms === 'number'
            ? ` Half were received within ${time(total.p50_ms)}, nine of ten within ${time(total.p90_ms)}.`
            : '';
        const sentence =
          attempts === 0
            ? 'Nothing was sent in this time.'
            : `${percent(succeeded / attempts)} of ${count(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'} succeeded${others && ` (${others})`}.${took}`;
        return timeContent(TITLE, sentence, timesData(report, stepsOf(report)));
      }}
    </PlotCard>
  );
}
