import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type Outputs } from '../../api/api.ts';
import { Mark } from '../../look/mark.tsx';
import { type Column, Table } from '../../look/table/table.tsx';
import { Time } from '../../look/time/time.tsx';
import { ATTEMPTS, CHANNELS, DELIVERIES } from '../../words/request-words.ts';
import css from '../work.module.css';

/** What the person did with one request today. */
export type DoneWork = Outputs['work']['done']['items'][number];

/** What the person submitted, or could not verify, within a day: as long as they may open it. */
export const useOwnDone = () =>
  useQuery({
    // Not by the operation's name, by which events of others' work would have it read each second.
    queryKey: ['own done'],
    queryFn: ({ signal }) => api.work.done.query({}, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ delivery }) => delivery === 'pending') ? 15_000 : false,
  });

/** The state of the webhook with the person's answer. */
export function Webhook({ done: { delivery } }: { readonly done: DoneWork }) {
  if (delivery === null) return <>None: another channel is asked</>;
  const { tone, word } = DELIVERIES[delivery];
  return <Mark tone={tone}>{word}</Mark>;
}

const COLUMNS: readonly Column<DoneWork>[] = [
  {
    head: 'Patient',
    is: 'name',
    cell: (done) => <Link href={`/work/${done.request_id}`}>{done.patient_initials ?? 'A patient'}</Link>,
  },
  { head: 'Payer', is: 'words', cell: ({ payer }) => payer },
  {
    head: 'Answer',
    cell: ({ outcome }) => <Mark tone={ATTEMPTS[outcome].tone}>{ATTEMPTS[outcome].word}</Mark>,
  },
  { head: 'Webhook', is: 'words', cell: (done) => <Webhook done={done} /> },
  { head: 'By', from: 'middle', cell: ({ channel }) => CHANNELS[channel] },
  { head: 'When', from: 'middle', cell: ({ ended_at: at }) => <Time at={at} /> },
];

/** What the person did within a day, each to open and read. */
export function DoneList() {
  const { data } = useOwnDone();
  if (!data) return null;
  return (
    <section className={css.day} aria-label="Done">
      <h2>Done</h2>
      {data.items.length === 0 ? (
        <p className={css.notes}>What you submit stays here for a day, to read again.</p>
      ) : (
        <Table
          caption="What you did within a day, the latest first"
          items={data.items}
          columns={COLUMNS}
          keyOf={(done) => `${done.request_id} ${done.ended_at}`}
          isTarget
        />
      )}
    </section>
  );
}
