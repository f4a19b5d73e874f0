import { HeldReason } from '@insurance-verification/schema';
import { duration } from '../../look/time/time.tsx';
import { HELD } from '../../words/held-words.ts';
import { PlotCard, timeContent } from '../plot-card.tsx';
import { count, headOf, lineOf, perStep } from '../plot-data.ts';
import { SPANS, type Shown, stepsOf, sumOf, totalsOf, useReport } from '../use-report.ts';

const TITLE = 'Held outputs';

const LINES = [
  ['Held', 'held_count'],
  ['Applied', 'applied_count'],
  ['Dismissed', 'dismissed_count'],
] as const;

/** What was held and settled, what is open, and for how long. */
export function HeldPlot({ shown }: { readonly shown: Shown }) {
  return (
    <PlotCard
      title={TITLE}
      unit={perStep('outputs', SPANS[shown.span].step)}
      query={useReport('held', shown)}
    >
      {(report) => {
        const [open, steps, head] = [totalsOf(report), stepsOf(report), headOf(report)];
        const openCount = sumOf(open, 'open_count');
        const oldest = Math.max(0, ...open.map((row) => row.oldest_seconds ?? 0));
        const reasons = open.map(
          (row) => `${HELD[HeldReason.parse(row.reason)].word.toLowerCase()} ${count(row.open_count ?? 0)}`,
        );
        return timeContent(
          TITLE,
          openCount === 0
            ? 'Nothing is held now.'
            : `${count(openCount)} ${openCount === 1 ? 'is' : 'are'} open (${reasons.join(', ')}), the oldest for ${duration(oldest)}.`,
          {
            ...head,
            isWhole: true,
            lines: LINES.map(([name, figure]) => lineOf(name, head.times, steps, (row) => row[figure])),
            format: count,
          },
        );
      }}
    </PlotCard>
  );
}
