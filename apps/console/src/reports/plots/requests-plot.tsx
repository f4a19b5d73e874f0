import { api } from '../../api/api.ts';
import { PlotCard, timeContent } from '../plot-card.tsx';
import { count, headOf, percent, perStep } from '../plot-data.ts';
import { SPANS, type Shown, useReport } from '../use-report.ts';

const TITLE = 'Requests by outcome';

/** What came in, and what became of it. */
export function RequestsPlot({ shown }: { readonly shown: Shown }) {
  const { step } = SPANS[shown.span];
  const query = useReport('requests', shown, (input, signal) =>
    api.reports.requests.query(input, { signal }),
  );
  return (
    <PlotCard title={TITLE} unit={perStep('requests', step)} query={query}>
      {(report) => {
        const { items } = report;
        const sum = (of: (item: (typeof items)[number]) => number) =>
          items.reduce((total, item) => total + of(item), 0);
        const [received, completed, missed] = [
          sum((item) => item.received_count),
          sum((item) => item.completed_count),
          sum((item) => item.not_verified_count),
        ];
        const ended = completed + missed;
        const met = sum((item) => item.met_count);
        const needed = met + sum((item) => item.overdue_count);
        const inTime =
          needed === 0
            ? ''
            : ` Of ${count(needed)} needed by a time ${count(met)} had a result by then (${percent(met / needed)}).`;
        const came = `${count(received)} ${received === 1 ? 'request' : 'requests'} came in`;
        const sentence =
          received + ended + needed === 0
            ? 'No request came in or ended in this time.'
            : ended === 0
              ? `${came}; none has ended yet.${inTime}`
              : `${came}; ${count(completed)} of the ${count(ended)} that ended were verified (${percent(completed / ended)}).${inTime}`;
        return timeContent(TITLE, sentence, {
          ...headOf(report, step),
          isWhole: true,
          lines: [
            { name: 'Received', values: items.map((item) => item.received_count) },
            { name: 'Verified', values: items.map((item) => item.completed_count) },
            { name: 'Not verified', values: items.map((item) => item.not_verified_count) },
            { name: 'Corrected', values: items.map((item) => item.corrected_count) },
            { name: 'Overdue', values: items.map((item) => item.overdue_count) },
          ],
          format: count,
        });
      }}
    </PlotCard>
  );
}
