import { api } from '../../api/api.ts';
import { duration } from '../../look/time/time.tsx';
import { HELD } from '../../words/held-words.ts';
import { PlotCard, timeContent } from '../plot-card.tsx';
import { count, headOf, perStep } from '../plot-data.ts';
import { SPANS, type Shown, useReport } from '../use-report.ts';

const TITLE = 'Held outputs';

/** What was held and settled, what is open, and for how long. */
export function HeldPlot({ shown }: { readonly shown: Shown }) {
  const { step } = SPANS[shown.span];
  const query = useReport('held', shown, (input, signal) => api.reports.held.query(input, { signal }));
  return (
    <PlotCard title={TITLE} unit={perStep('outputs', step)} query={query}>
      {(report) => {
        const { items, open } = report;
        const openCount = open.reduce((sum, one) => sum + one.open_count, 0);
        const oldest = Math.max(0, ...open.map((one) => one.oldest_seconds ?? 0));
        const reasons = open.map((one) => `${HELD[one.reason].word.toLowerCase()} ${count(one.open_count)}`);
        return timeContent(
          TITLE,
          openCount === 0
            ? 'Nothing is held now.'
            : `${count(openCount)} ${openCount === 1 ? 'is' : 'are'} open (${reasons.join(', ')}), the oldest for ${duration(oldest)}.`,
          {
            ...headOf(report, step),
            isWhole: true,
            lines: [
              { name: 'Held', values: items.map((item) => item.held_count) },
              { name: 'Applied', values: items.map((item) => item.applied_count) },
              { name: 'Dismissed', values: items.map((item) => item.dismissed_count) },
            ],
            format: count,
          },
        );
      }}
    </PlotCard>
  );
}
