import { PlotCard, timeContent } from '../plot-card.tsx';
import { count, headOf, lineOf, percent, perStep } from '../plot-data.ts';
import { SPANS, type Shown, stepsOf, sumOf, useReport } from '../use-report.ts';

const TITLE = 'Requests by outcome';

const LINES = [
  ['Received', 'received_count'],
  ['Verified', 'completed_count'],
  ['Not verified', 'not_verified_count'],
  ['Corrected', 'corrected_count'],
  ['Overdue', 'overdue_count'],
] as const;

/** What came in, and what became of it. */
export function RequestsPlot({ shown }: { readonly shown: Shown }) {
  return (
    <PlotCard
      title={TITLE}
      unit={perStep('requests', SPANS[shown.span].step)}
      query={useReport('requests', shown)}
    >
      {(report) => {
        const steps = stepsOf(report);
        const head = headOf(report);
        const received = sumOf(steps, 'received_count');
        const completed = sumOf(steps, 'completed_count');
        const ended = completed + sumOf(steps, 'not_verified_count');
        const met = sumOf(steps, 'met_count');
        const needed = met + sumOf(steps, 'overdue_count');
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
          ...head,
          isWhole: true,
          lines: LINES.map(([name, figure]) => lineOf(name, head.times, steps, (row) => row[figure])),
          format: count,
        });
      }}
    </PlotCard>
  );
}
