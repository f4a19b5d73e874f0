import { useQuery } from '@tanstack/react-query';
import { api, type Outputs } from '../api/api.ts';
import { PlotCard } from './plot-card.tsx';
import { count } from './use-report.ts';

type Payer = Outputs['reports']['askedCodes']['items'][number];

const COLUMNS = [
  'Payer',
  'Inquiries',
  'Further',
  'CDT',
  'Answered',
  'Refused',
  'CPT',
  'Answered',
  'Refused',
  'Advice',
];

/** The codes that payers were asked for over X12 this month, and the settings that do not fit. For operators. */
export function AskedCodes({ account }: { readonly account: string | undefined }) {
  const query = useQuery({
    queryKey: ['reports', 'asked-codes', account],
    queryFn: ({ signal }) =>
      api.reports.askedCodes.query(account === undefined ? {} : { account_id: account }, { signal }),
    refetchInterval: 60_000,
  });
  return (
    <PlotCard title="Codes asked of payers" unit="this month, in UTC" query={query}>
      {({ items }) => ({
        sentence: sentenceOf(items),
        table: {
          columns: COLUMNS,
          rows: items.map((payer) => [
            payer.payer_id,
            ...figuresOf(payer).map((figure) => count(figure)),
            payer.advice ?? '',
          ]),
          csv: items.map((payer) => [payer.payer_id, ...figuresOf(payer), payer.advice ?? '']),
        },
      })}
    </PlotCard>
  );
}

function figuresOf({ inquiry_count: inquiries, further_inquiry_count: further, dental, medical }: Payer) {
  const lists = [dental, medical].flatMap((list) => [
    list.asked_count,
    list.answered_count,
    list.refused_count,
  ]);
  return [inquiries, further, ...lists];
}

function sentenceOf(items: readonly Payer[]): string {
  if (items.length === 0) return 'No payer was asked over X12 this month.';
  const advised = items.filter(({ advice }) => advice !== null);
  return advised.length === 0
    ? 'No setting of a payer contradicts its answers.'
    : `A setting does not fit: ${advised.map(({ payer_id: id, setting }) => `${id} (${setting})`).join(', ')}.`;
}
