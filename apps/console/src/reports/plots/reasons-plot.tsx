import { api } from '../../api/api.ts';
import { reasonText } from '../../words/reason-words.ts';
import { BarList } from '../bar-list.tsx';
import { PlotCard } from '../plot-card.tsx';
import { count, percent } from '../plot-data.ts';
import { type Shown, useReport } from '../use-report.ts';

const TITLE = 'Why not verified';

const FIXED_BY = {
  patient_data: 'whoever holds the patient’s data',
  provider: 'the provider',
  payer: 'the payer',
  us: 'us',
} as const;

/** The reasons of requests that could not be verified, and who has to act on each. */
export function ReasonsPlot({ shown }: { readonly shown: Shown }) {
  const query = useReport('reasons.verification', shown, (input, signal) =>
    api.reports.reasons.query({ of: 'verification', ...input }, { signal }),
  );
  return (
    <PlotCard title={TITLE} unit="requests, by reason" query={query}>
      {({ items }) => {
        const all = items.reduce((sum, item) => sum + item.count, 0);
        const [first] = items;
        const by = (item: (typeof items)[number]) =>
          item.fixed_by === null ? 'nobody in particular' : FIXED_BY[item.fixed_by];
        const name = (reason: string | null) => (reason === null ? 'another reason' : reasonText(reason));
        return {
          sentence:
            first === undefined
              ? 'No request ended without a verification in this time.'
              : `${count(all)} could not be verified; most often ${name(first.reason)} (${percent(first.count / all)}), for ${by(first)} to fix.`,
          table: {
            columns: ['Reason', 'To be fixed by', 'Requests'],
            rows: items.map((item) => [name(item.reason), by(item), count(item.count)]),
            csv: items.map((item) => [item.reason, item.fixed_by, item.count]),
          },
          ...(first !== undefined && {
            picture: (
              <BarList
                label={TITLE}
                bars={items.slice(0, 8).map((item) => ({
                  key: item.reason ?? '',
                  name: name(item.reason),
                  note: `for ${by(item)}`,
                  text: count(item.count),
                  share: item.count / first.count,
                }))}
              />
            ),
          }),
        };
      }}
    </PlotCard>
  );
}
