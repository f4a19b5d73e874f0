import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { Button, CopyButton } from '../look/button.tsx';
import { FactList } from '../look/fact-list.tsx';
import layoutCss from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { FailureNotice, Notice } from '../look/notice.tsx';
import { type Column, Table } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { SaidBenefits } from '../requests/one/benefits-part.tsx';
import css from '../requests/one/request.module.css';
import { ATTEMPTS, CHANNELS, DELIVERIES } from '../words/request-words.ts';
import { Correction } from './correction.tsx';
import { takeBack } from './take-work.ts';
import bench from './work.module.css';

/** What the person did with one request today. */
type DoneWork = Outputs['work']['done']['items'][number];

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
function Webhook({ done: { delivery } }: { readonly done: DoneWork }) {
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

/** What became of the person's latest correction: a sentence, the same in the list and on the page. */
function CorrectionState({ correction: it }: { readonly correction: NonNullable<DoneWork['correction']> }) {
  if (it.status === 'held')
    return (
      <>
        Your correction waits for an operator since <Time at={it.corrected_at} />
      </>
    );
  if (it.decided_at === null)
    return (
      <>
        Corrected <Time at={it.corrected_at} />
      </>
    );
  return (
    <>
      {it.status === 'applied' ? 'Applied' : 'Dismissed'} by {it.decided_by_name ?? 'an operator'}{' '}
      <Time at={it.decided_at} />
      {it.note !== null && `: ${it.note}`}
    </>
  );
}

const CORRECTION: Column<DoneWork> = {
  head: 'Correction',
  is: 'words',
  from: 'middle',
  cell: ({ correction }) => correction && <CorrectionState correction={correction} />,
};

/** What the person did within a day, each to open and read. */
export function DoneList() {
  const { data } = useOwnDone();
  if (!data) return null;
  const isCorrected = data.items.some(({ correction }) => correction !== null);
  return (
    <section className={bench.day} aria-label="Done">
      <h2>Done</h2>
      {data.items.length === 0 ? (
        <p className={bench.notes}>What you submit stays here for a day, to read again.</p>
      ) : (
        <Table
          caption="What you did within a day, the latest first"
          items={data.items}
          columns={isCorrected ? [...COLUMNS, CORRECTION] : COLUMNS}
          keyOf={(done) => `${done.request_id} ${done.ended_at}`}
          isTarget
        />
      )}
    </section>
  );
}

/** A request that the person finished within a day: its input, their answer, and the state of its webhook. */
export function DoneRequest({ done }: { readonly done: DoneWork }) {
  const input = { request_id: done.request_id };
  const hasResult = done.result_version !== null;
  const asked = useQuery({
    queryKey: ['done request', done.request_id],
    queryFn: ({ signal }) => api.requests.get.query(input, { signal }),
  });
  const result = useQuery({
    queryKey: ['done result', done.request_id],
    queryFn: ({ signal }) => api.requests.result.query(input, { signal }),
    enabled: hasResult,
  });
  const benefits = useQuery({
    queryKey: ['done benefits', done.request_id],
    queryFn: ({ signal }) => api.requests.benefits.query(input, { signal }),
    enabled: hasResult,
  });
  const attempts = useQuery({
    queryKey: ['done attempts', done.request_id],
    queryFn: ({ signal }) => api.requests.attempts.query(input, { signal }),
  });
  const all = attempts.data?.items ?? [];
  const own = all.find(({ number }) => number === done.attempt);
  const first = all.find(({ ended_at: at }) => at === done.ended_at);
  const newest = Math.max(0, ...all.map((attempt) => attempt.result_version ?? 0));
  const [correction, setCorrection] = useState<'open' | 'sent' | null>(null);
  const back = useMutation({ mutationFn: () => takeBack(done.request_id) });
  const keyOf = useKeyOf();
  const isNewest = hasResult && newest === done.result_version;
  const waits = done.correction?.status === 'held';
  const canCorrect = isNewest && correction !== 'open' && !waits && result.data && benefits.data;
  const open = () => setCorrection('open');
  useKeys({ correct: canCorrect ? open : undefined });
  return (
    <>
      {correction === 'sent' && done.correction?.status === 'applied' && (
        <Notice tone="good">Your correction is on its way to the provider.</Notice>
      )}
      {waits && done.correction && (
        <Notice tone="good">
          <CorrectionState correction={done.correction} />.
        </Notice>
      )}
      {back.error && <FailureNotice error={back.error} />}
      {done.can_take_back && (
        <Notice
          tone="good"
          action={
            <Button disabled={back.isPending} onClick={() => back.mutate()}>
              Take it back
            </Button>
          }
        >
          It waits in the next channel, and no one has taken it yet.
        </Notice>
      )}
      <p className={css.standing}>
        <Mark tone={ATTEMPTS[done.outcome].tone}>{ATTEMPTS[done.outcome].word}</Mark>
        <span>{CHANNELS[done.channel]}</span>
        <Time at={done.ended_at} />
        <span>
          Webhook: <Webhook done={done} />
        </span>
      </p>
      <Loaded query={asked} what="request" skeleton={<SkeletonRows count={8} />}>
        {(request) => (
          <div className={css.columns}>
            <section className={css.part}>
              <h2>Asked</h2>
              <Asked request={request} />
            </section>
            <section className={css.part}>
              <h2>Your answer</h2>
              {hasResult && newest > (done.result_version ?? 0) && (
                <p className={layoutCss.quiet}>Another result has replaced yours, and is shown here.</p>
              )}
              {correction === 'open' && result.data && benefits.data ? (
                <Correction
                  done={done}
                  request={request}
                  result={result.data}
                  benefits={benefits.data}
                  attempt={own}
                  onClose={() => setCorrection(null)}
                  onSent={() => setCorrection('sent')}
                />
              ) : (
                <>
                  {result.data?.insurance_data.map((coverage, index) => (
                    <CoverageFacts key={`${coverage.verification_time}${index}`} coverage={coverage} />
                  ))}
                  {benefits.data && <SaidBenefits said={benefits.data} />}
                  <FactList
                    facts={[
                      ['Reason', done.error_reason && (own?.explanation ?? done.error_reason)],
                      ['Reference number', own?.reference ?? first?.reference],
                      ['Payer’s representative', own?.representative ?? first?.representative],
                      ['Why you corrected it', done.correction?.reason],
                      [
                        'Correction',
                        done.correction && !waits && (
                          <CorrectionState key="correction" correction={done.correction} />
                        ),
                      ],
                      ['Note for colleagues', own?.note && <span className={css.notes}>{own.note}</span>],
                    ]}
                  />
                  {canCorrect && (
                    <p data-actions="">
                      <Button shortcut={keyOf('correct')} onClick={open}>
                        Correct
                      </Button>
                    </p>
                  )}
                </>
              )}
            </section>
          </div>
        )}
      </Loaded>
    </>
  );
}

interface AskedProps {
  readonly request: Outputs['requests']['get'];
}

function Asked({ request: { input } }: AskedProps) {
  const { patient_info: patient, provider_info: provider } = input;
  const copied = (name: string, value: string | null | undefined) =>
    value && (
      <span className={css.value}>
        {value}
        <CopyButton text={value} name={`the ${name}`} />
      </span>
    );
  return (
    <FactList
      facts={[
        ['Name', copied('name', patient.name)],
        ['Born', copied('birth date', patient.dob)],
        ['Member id', copied('member id', patient.subscriber_id)],
        ['Payer', input.payer_info.name],
        ['Provider', provider?.name],
        ['NPI', provider?.npi],
        ['Codes', input.cpt_code_coverage?.join(', ')],
      ]}
    />
  );
}

type Coverage = Outputs['requests']['result']['insurance_data'][number];

function CoverageFacts({ coverage: { plan_info: plan, notes } }: { readonly coverage: Coverage }) {
  return (
    <FactList
      facts={[
        ['Eligibility', plan.eligibility_status],
        ['Plan', plan.plan_name],
        ['From', plan.start_date],
        ['To', plan.end_date],
        ['Covered', plan.cpt_code_coverage?.join(', ')],
        ['Notes', notes && <span className={css.notes}>{notes}</span>],
      ]}
    />
  );
}
