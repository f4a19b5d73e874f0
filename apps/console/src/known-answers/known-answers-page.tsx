import type { KnownField } from '@insurance-verification/schema';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { IdLink, Named } from '../look/ids.tsx';
import css from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Empty } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import { type Column, Table } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { useMe } from '../session/use-me.ts';
import { CHANNELS, STATES } from '../words/request-words.ts';

/** `/known-answers`: how right the answers to seeded requests are, and the requests. */
export function KnownAnswersPage() {
  const [, go] = useLocation();
  const maySeed = useMe().data?.scopes.includes('operate') === true;
  const report = useQuery({
    queryKey: ['knownAnswers.report'],
    queryFn: ({ signal }) => api.knownAnswers.report.query({}, { signal }),
  });
  return (
    <Page
      title="Known answers"
      actions={maySeed && <Button onClick={() => go('/known-answers/new')}>Seed a request</Button>}
    >
      <section className={css.part}>
        <h2>How right the answers are</h2>
        <Loaded query={report} what="report" skeleton={<SkeletonRows count={3} />}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="Nothing is measured yet">
                A seeded request counts as soon as a verifier answers it.
              </Empty>
            ) : (
              <Table
                caption="Answers of the last 90 days, by verifier, channel and field"
                items={items}
                columns={FIGURES}
                keyOf={(_, index) => index}
              />
            )
          }
        </Loaded>
      </section>
      <section className={css.part}>
        <h2>Seeded requests</h2>
        <PagedList
          operation="knownAnswers.list"
          nouns={['seeded request', 'seeded requests']}
          limit={20}
          place="here"
          read={(page, signal) => api.knownAnswers.list.query(page, { signal })}
          columns={SEEDED}
          keyOf={({ request_id: id }) => id}
          none={
            <Empty title="No seeded requests">
              Seed one whose right answer you know. Verifiers work on it as on any, and its result is not
              delivered.
            </Empty>
          }
        />
      </section>
    </Page>
  );
}

type Figures = Outputs['knownAnswers']['report']['items'][number];
type Seeded = Outputs['knownAnswers']['list']['items'][number];

const FIELDS: Readonly<Record<KnownField, string>> = {
  eligibility_status: 'Eligibility',
  plan_name: 'Plan name',
  start_date: 'Start date',
  end_date: 'End date',
  cpt_code: 'Code',
};

/** Wrong answers that a row leads to. */
const SHOWN_WRONG = 3;

const FIGURES: readonly Column<Figures>[] = [
  {
    head: 'Verifier',
    is: 'name',
    cell: ({ verifier_id: id, verifier_name: name }) =>
      id === null ? 'The service, or no key' : <Named id={id} name={name} />,
  },
  {
    head: 'Channel',
    is: 'words',
    from: 'middle',
    cell: ({ channel }) => (channel === null ? 'Not stated' : CHANNELS[channel]),
  },
  {
    head: 'Field',
    is: 'words',
    cell: ({ field, code }) => (code === null ? FIELDS[field] : `${FIELDS[field]} ${code}`),
  },
  { head: 'Answered', is: 'number', cell: ({ answered_count: count }) => count },
  { head: 'Right', is: 'number', from: 'middle', cell: ({ right_count: count }) => count },
  { head: 'Wrong', is: 'number', cell: ({ wrong_count: count }) => count },
  {
    head: 'Right, 95 % interval',
    is: 'number',
    cell: ({ right_share_low: low, right_share_high: high }) =>
      low === null || high === null ? '' : `${percent(low)} to ${percent(high)} %`,
  },
  { head: 'Unanswered', is: 'number', from: 'laptop', cell: ({ unanswered_count: count }) => count },
  {
    head: 'Wrong answers',
    from: 'laptop',
    cell: ({ wrong_request_ids: ids }) =>
      ids.slice(0, SHOWN_WRONG).map((id) => <IdLink key={id} id={id} href={`/requests/${id}`} />),
  },
];

const percent = (share: number): string => (100 * share).toFixed(1);

const SEEDED: readonly Column<Seeded>[] = [
  { head: 'Request', cell: ({ request_id: id }) => <IdLink id={id} href={`/requests/${id}`} /> },
  { head: 'Seeded', from: 'middle', cell: ({ seeded_at: at }) => <Time at={at} /> },
  { head: 'Patient', from: 'middle', cell: ({ patient_initials: initials }) => initials ?? '' },
  { head: 'Payer', is: 'words', from: 'laptop', cell: ({ payer }) => payer },
  {
    head: 'State',
    cell: ({ state }) => <Mark tone={STATES[state].tone}>{STATES[state].word}</Mark>,
  },
  { head: 'Right answer', is: 'words', cell: ({ answer }) => (answer === null ? 'Erased' : wordsOf(answer)) },
  {
    head: 'By',
    is: 'words',
    from: 'laptop',
    cell: ({ seeded_by: id, seeded_by_name: name }) => <Named id={id} name={name} />,
  },
];

/** The right answer in one line. */
function wordsOf({
  eligibility_status: eligibility,
  plan_name: plan,
  start_date: start,
  end_date: end,
  codes = [],
}: NonNullable<Seeded['answer']>): string {
  const parts = [
    eligibility,
    plan,
    start && `from ${start}`,
    end && `until ${end}`,
    ...codes.map(({ code, is_covered: isCovered }) => `${code} ${isCovered ? 'covered' : 'not covered'}`),
  ];
  return parts.filter(Boolean).join(', ') || 'Only whether it is answered';
}
