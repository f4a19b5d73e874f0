import { useQuery } from '@tanstack/react-query';
import { api, type Outputs } from '../../api/api.ts';
import { CopyButton } from '../../look/button/copy-button.tsx';
import { FactList } from '../../look/fact-list.tsx';
import { Mark } from '../../look/mark.tsx';
import { Loaded } from '../../look/state/loaded.tsx';
import { SkeletonRows } from '../../look/state/skeleton.tsx';
import { Time } from '../../look/time/time.tsx';
import { SaidBenefits } from '../../requests/one/benefits/benefits-part.tsx';
import css from '../../requests/one/request.module.css';
import { ATTEMPTS, CHANNELS } from '../../words/request-words.ts';
import { type DoneWork, Webhook } from './done-list.tsx';

/** What the person did with a request within a day, to read: what was asked, their answer, and how its webhook stands. */
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
  const own = attempts.data?.items.find(({ ended_at: at }) => at === done.ended_at);
  const newest = Math.max(0, ...(attempts.data?.items ?? []).map((attempt) => attempt.result_version ?? 0));
  return (
    <>
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
                <p className={css.quiet}>Another result has replaced yours, and is shown here.</p>
              )}
              {result.data?.insurance_data.map((coverage, index) => (
                <CoverageFacts key={`${coverage.verification_time}${index}`} coverage={coverage} />
              ))}
              {benefits.data && <SaidBenefits said={benefits.data} />}
              <FactList
                facts={[
                  ['Reason', done.error_reason && (own?.explanation ?? done.error_reason)],
                  ['Reference number', own?.reference],
                  ['Note for colleagues', own?.note && <span className={css.notes}>{own.note}</span>],
                ]}
              />
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
