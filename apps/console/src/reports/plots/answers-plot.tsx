import { usePayers } from '../../requests/use-payers.ts';
import { PlotCard, timeContent } from '../plot-card.tsx';
import { count, headOf, percent } from '../plot-data.ts';
import { SPANS, type Shown, useTimes } from '../use-report.ts';

const TITLE = 'Payer answers within 20 s';

/** The share that the CORE rule asks for. */
const GOAL = 0.9;

/** How many X12 inquiries each payer answered in time, against the rule. */
export function AnswersPlot({ shown }: { readonly shown: Shown }) {
  const query = useTimes('payer_answer', shown);
  const payers = usePayers().data?.items;
  const payerName = (id: string | null) => payers?.find(({ payer_id: one }) => one === id)?.name ?? id ?? '';
  return (
    <PlotCard title={TITLE} unit="of X12 inquiries, by payer" query={query}>
      {(report) => {
        const { totals, items } = report;
        const head = headOf(report, SPANS[shown.span].step);
        const asked = totals.reduce((sum, total) => sum + total.count, 0);
        const missed = totals.filter((total) => total.within_20_seconds_count / total.count < GOAL);
        const sentence =
          asked === 0
            ? 'No payer was asked over X12 in this time.'
            : missed.length === 0
              ? `${count(asked)} ${asked === 1 ? 'inquiry' : 'inquiries'}; every payer answered nine of ten within 20 seconds, as CORE asks.`
              : `${count(asked)} ${asked === 1 ? 'inquiry' : 'inquiries'}; below the nine of ten that CORE asks for: ${missed
                  .map(
                    (total) =>
                      `${payerName(total.group)} (${percent(total.within_20_seconds_count / total.count)})`,
                  )
                  .join(', ')}.`;
        return timeContent(TITLE, sentence, {
          ...head,
          max: 1,
          lines: [
            ...totals.map(({ group }) => {
              const byTime = new Map(
                items.filter((item) => item.group === group).map((item) => [Date.parse(item.at), item]),
              );
              const share = (ms: number) => {
                const item = byTime.get(ms);
                return item ? item.within_20_seconds_count / item.count : null;
              };
              return { name: payerName(group), values: head.times.map(share) };
            }),
            { name: 'CORE: 90 %', values: head.times.map(() => GOAL), isGoal: true as const },
          ],
          format: percent,
        });
      }}
    </PlotCard>
  );
}
