import { api } from '../../api/api.ts';
import { PlotCard, timeContent } from '../plot-card.tsx';
import { count, percent, time } from '../plot-data.ts';
import { SPANS, type Shown, useReport } from '../use-report.ts';
import { timesData } from './times-plot.tsx';

const TITLE = 'From accepted to received';

/** How long a result took to its receiver, and how webhook attempts ended. */
export function DeliveriesPlot({ shown }: { readonly shown: Shown }) {
  const query = useReport('deliveries', shown, async (input, signal) => {
    const [times, ends] = await Promise.all([
      api.reports.times.query({ of: 'delivery', ...input }, { signal }),
      api.reports.reasons.query({ of: 'delivery', ...input }, { signal }),
    ]);
    return { times, ends: ends.items };
  });
  return (
    <PlotCard title={TITLE} unit="deliveries; within 4.5 %" query={query}>
      {({ times, ends }) => {
        const [total] = times.totals;
        const attempts = ends.reduce((sum, end) => sum + end.count, 0);
        const failed = ends.filter(({ reason }) => reason !== 'succeeded');
        const succeeded = attempts - failed.reduce((sum, end) => sum + end.count, 0);
        const others = failed
          .map(({ reason, count: n }) => `${reason?.replaceAll('_', ' ')} ${count(n)}`)
          .join(', ');
        const took =
          typeof total?.p50_ms === 'number' && typeof total.p90_ms === 'number'
            ? ` Half were received within ${time(total.p50_ms)}, nine of ten within ${time(total.p90_ms)}.`
            : '';
        const sentence =
          attempts === 0
            ? 'Nothing was sent in this time.'
            : `${percent(succeeded / attempts)} of ${count(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'} succeeded${others && ` (${others})`}.${took}`;
        return timeContent(TITLE, sentence, timesData(times, times.items, SPANS[shown.span].step));
      }}
    </PlotCard>
  );
}
