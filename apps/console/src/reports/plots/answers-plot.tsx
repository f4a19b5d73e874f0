import { usePayerName } from '../../requests/use-payers.ts';
import { PlotCard, timeContent } from '../plot-card.tsx';
import { count, headOf, lineOf, percent } from '../plot-data.ts';
import { type Row, type Shown, stepsOf, sumOf, totalsOf, useReport } from '../use-report.ts';

const TITLE = 'Payer answers within 20 s';

/** The share that the CORE rule asks for. */
const GOAL = 0.9;

const shareOf = (row: Row): number => (row.within_20_seconds_count ?? 0) / (row.count ?? 1);

/** How many X12 inquiries each payer answered in time, against the rule. */
export function AnswersPlot({ shown }: { readonly shown: Shown }) {
  const payerName = usePayerName();
  return (
    <PlotCard title={TITLE} unit="of X12 inquiries, by payer" query={useReport('payer_times', shown)}>
      {(report) => {
        const [totals, steps, head] = [totalsOf(report), stepsOf(report), headOf(report)];
        const asked = sumOf(totals, 'count');
        const inquiries = `${count(asked)} ${asked === 1 ? 'inquiry' : 'inquiries'}`;
        const missed = totals.filter((total) => shareOf(total) < GOAL);
        const sentence =
          asked === 0
            ? 'No payer was asked over X12 in this time.'
            : missed.length === 0
              ? `${inquiries}; every payer answered nine of ten within 20 seconds, as CORE asks.`
              : `${inquiries}; below the nine of ten that CORE asks for: ${missed
                  .map((total) => `${payerName(total.payer_id)} (${percent(shareOf(total))})`)
                  .join(', ')}.`;
        return timeContent(TITLE, sentence, {
          ...head,
          max: 1,
          lines: [
            ...totals.map(({ payer_id: payer }) => {
              const own = steps.filter(({ payer_id: one }) => one === payer);
              return lineOf(payerName(payer), head.times, own, shareOf);
            }),
            { name: 'CORE: 90 %', values: head.times.map(() => GOAL), isGoal: true as const },
          ],
          format: percent,
        });
      }}
    </PlotCard>
  );
}
