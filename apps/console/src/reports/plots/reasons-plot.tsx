import { reasonText } from '../../words/reason-words.ts';
import { BarList } from '../bar-list.tsx';
import { PlotCard } from '../plot-card.tsx';
import { count, percent } from '../plot-data.ts';
import { type Row, type Shown, sumOf, useReport } from '../use-report.ts';

const TITLE = 'Why not verified';

const FIXED_BY = {
  patient_data: 'the party with the patient’s data',
  provider: 'the provider',
  payer: 'the payer',
  us: 'us',
} as const;

const byOf = ({ fixed_by: by }: Row): string => (by ? FIXED_BY[by] : 'no one party');

const nameOf = ({ reason }: Row): string => (reason ? reasonText(reason) : 'another reason');

/** The reasons of requests that could not be verified, and who has to act on each. */
export function ReasonsPlot({ shown }: { readonly shown: Shown }) {
  return (
    <PlotCard title={TITLE} unit="requests, by reason" query={useReport('failure_reasons', shown)}>
      {({ items }) => {
        const all = sumOf(items, 'count');
        const [first] = items;
        const most = first?.count ?? 0;
        return {
          sentence:
            first === undefined
              ? 'No request ended without a verification in this time.'
              : `${count(all)} could not be verified; most often ${nameOf(first)} (${percent(most / all)}), for ${byOf(first)} to fix.`,
          table: {
            columns: ['Reason', 'To be fixed by', 'Requests'],
            rows: items.map((item) => [nameOf(item), byOf(item), count(item.count ?? 0)]),
            csv: items.map((item) => [item.reason ?? null, item.fixed_by ?? null, item.count ?? 0]),
          },
          ...(first !== undefined && {
            picture: (
              <BarList
                label={TITLE}
                bars={items.slice(0, 8).map((item) => ({
                  key: item.reason ?? '',
                  name: nameOf(item),
                  note: `for ${byOf(item)}`,
                  text: count(item.count ?? 0),
                  share: (item.count ?? 0) / most,
                }))}
              />
            ),
          }),
        };
      }}
    </PlotCard>
  );
}
