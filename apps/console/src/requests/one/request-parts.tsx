import type { ErasedBecause } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { api, type Outputs } from '../../api/api.ts';
import { Button, CopyButton } from '../../look/button.tsx';
import { FactList } from '../../look/fact-list.tsx';
import { Named } from '../../look/ids.tsx';
import layoutCss from '../../look/layout.module.css';
import { Mark } from '../../look/mark.tsx';
import { FailureNotice } from '../../look/notice.tsx';
import { dayInWords } from '../../look/read-date.ts';
import { Time } from '../../look/time.tsx';
import { CHANNELS, ERASED } from '../../words/request-words.ts';
import { resultLines } from '../../words/verifier-words.ts';
import { Needed } from '../request-table.tsx';
import css from './request.module.css';
import { segmentsOf } from './segments-of.ts';

interface PatientPartProps {
  /** The patient data; null until somebody asks for it: the page does not have it before. */
  readonly patient: Outputs['requests']['get']['input']['patient_info'] | null;
  readonly reveal: { readonly isPending: boolean; readonly error: unknown; readonly mutate: () => void };
}

/** The patient data, read on a click. That is in the audit. */
export function PatientPart({ patient, reveal }: PatientPartProps) {
  const shown = (name: string, value: string | null | undefined) =>
    value && (
      <span className={css.value}>
        {value}
        <CopyButton text={value} name={`the ${name}`} />
      </span>
    );
  if (patient)
    return (
      <FactList
        facts={[
          ['Name', shown('name', patient.name)],
          ['Born', shown('birth date', patient.dob)],
          ['Member id', shown('member id', patient.subscriber_id)],
          ['Address', shown('address', patient.address)],
        ]}
      />
    );
  return (
    <>
      {reveal.error !== null && <FailureNotice error={reveal.error} />}
      <FactList
        facts={['Name', 'Born', 'Member id'].map((name) => [
          name,
          <span key={name} className={layoutCss.quiet}>
            <span aria-hidden="true">••••••••</span> not shown
          </span>,
        ])}
      />
      <div>
        <Button disabled={reveal.isPending} onClick={() => reveal.mutate()}>
          Show the patient
        </Button>
      </div>
      <p className={layoutCss.quiet}>That you look is in the access log.</p>
    </>
  );
}

interface AskedPartProps {
  readonly view: Outputs['requests']['view'];
  /** The whole callback address, once patient data is shown: its path may name the patient. */
  readonly callbackUrl: string | undefined;
}

/** The request without its patient data. */
export function AskedPart({ view, callbackUrl }: AskedPartProps) {
  const { provider_info: provider } = view;
  return (
    <FactList
      facts={[
        ['Payer', view.payer],
        ['Provider', provider?.name],
        ['NPI', provider?.npi],
        ['TIN', provider?.tin],
        ['Organization', provider?.organization_name],
        ['Codes', view.cpt_code_coverage.join(', ')],
        ['For the day', view.service_date && dayInWords(view.service_date)],
        ['Needed by', view.needed_by && <NeededBy key="needed" view={view} />],
        ['Goes to', callbackUrl ?? view.callback_host],
        ['Account', <Named key="account" id={view.account_id} name={view.account_name} />],
      ]}
    />
  );
}

function NeededBy({ view }: Pick<AskedPartProps, 'view'>) {
  return (
    <>
      {view.needed_by && <Time at={view.needed_by} />} <Needed request={view} />
    </>
  );
}

interface ResultPartProps {
  readonly view: Outputs['requests']['view'];
  /** The result with the patient data, once it is shown; null before. */
  readonly revealed: Outputs['requests']['reveal'] | null;
}

/** Who asked the payer for a result, who corrected and who applied it, a sentence each. */
export function ResultLines({ versions }: Pick<Outputs['requests']['view'], 'versions'>) {
  return resultLines(versions).map(({ before, at, after }) => (
    <p key={`${before}${at}`}>
      {before} <Time at={at} />
      {after}
    </p>
  ));
}

/** The coverages of the present result. Notes may hold patient data, and are shown with it. */
export function ResultPart({ view: { state, coverages }, revealed }: ResultPartProps) {
  if (state === 'pending')
    return <p className={layoutCss.quiet}>None yet. It shows here as soon as it is accepted.</p>;
  if (coverages.length === 0) return <p className={layoutCss.quiet}>No coverage was verified.</p>;
  return coverages.map(({ plan_info: plan, ...coverage }, index) => (
    <FactList
      key={`${coverage.verification_time}${index}`}
      facts={[
        [
          'Eligibility',
          plan.eligibility_status && (
            <Mark tone={plan.eligibility_status === 'Active' ? 'good' : 'bad'}>
              {plan.eligibility_status}
            </Mark>
          ),
        ],
        ['Plan', plan.plan_name],
        ['From', plan.start_date],
        ['To', plan.end_date],
        ['Covered', plan.cpt_code_coverage?.join(', ')],
        ['Notes', notesOf(revealed, coverage.verification_time, index)],
        ['Found by', CHANNELS[coverage.verification_source]],
        ['At', <Time key="at" at={coverage.verification_time} />],
      ]}
    />
  ));
}

/** The same coverage with patient data: a newer result may have arrived since that was read. */
function notesOf(revealed: ResultPartProps['revealed'], at: string, index: number) {
  const coverage = revealed?.insurance_data[index];
  if (coverage?.verification_time !== at || !coverage.notes) return null;
  return <span className={css.notes}>{coverage.notes}</span>;
}

/** Says that a legal hold keeps the data of a request. Nothing without a hold. */
export function HeldNotice({ holds }: { readonly holds: Outputs['requests']['view']['holds'] }) {
  const [hold] = holds;
  if (!hold) return null;
  return (
    <p className={css.standing}>
      <Mark tone="warn">Legal hold</Mark>
      <span>
        on {hold.covers === 'account' ? 'its account' : 'the request'} since <Time at={hold.placed_at} />
      </span>
      <code>{hold.hold_id}</code>
      {holds.length > 1 && <span>and {holds.length - 1} more</span>}
    </p>
  );
}

interface ErasedPartProps {
  readonly at: string;
  readonly because: ErasedBecause;
}

/** In place of the data of an erased request. */
export function ErasedPart({ at, because }: ErasedPartProps) {
  return (
    <>
      <p>
        The data was erased on <Time at={at} />, {ERASED[because].because}.
      </p>
      <p className={layoutCss.quiet}>
        Nothing brings it back. What happened, and when, is still told; to ask the payer again, make a new
        request.
      </p>
    </>
  );
}

interface ExchangesPartProps {
  readonly requestId: string;
  readonly exchanges: Outputs['requests']['view']['exchanges'];
}

/** The 270s and 271s about a request, one segment a line. They name the patient, so they come when asked for. */
export function ExchangesPart({ requestId, exchanges }: ExchangesPartProps) {
  const read = useMutation({ mutationFn: () => api.requests.exchanges.query({ request_id: requestId }) });
  return (
    <>
      {read.error && <FailureNotice error={read.error} />}
      {!read.data && (
        <>
          <p className={layoutCss.quiet}>
            {exchanges.length === 1 ? 'One inquiry was' : `${exchanges.length} inquiries were`} sent to the
            payer over X12. They name the patient; that you look is in the access log.
          </p>
          <div>
            <Button disabled={read.isPending} onClick={() => read.mutate()}>
              Show the 270 and 271
            </Button>
          </div>
        </>
      )}
      {read.data?.items.map((exchange) => (
        <section key={exchange.control_number} className={css.exchange}>
          <h3>
            Inquiry {exchange.control_number}, <Time at={exchange.started_at} />
          </h3>
          <Raw name="270" text={exchange.inquiry} />
          {exchange.answer === null ? (
            <p className={layoutCss.quiet}>No answer came.</p>
          ) : (
            <Raw name="271" text={exchange.answer} />
          )}
        </section>
      ))}
    </>
  );
}

interface RawProps {
  readonly name: '270' | '271';
  readonly text: string;
}

function Raw({ name, text }: RawProps) {
  return (
    <>
      <h4 className={css.value}>
        {name === '270' ? 'Sent (270)' : 'Answered (271)'}
        <CopyButton text={text} name={`the ${name}`} />
      </h4>
      <pre tabIndex={0} aria-label={name === '270' ? 'The 270 as it was sent' : 'What came back'}>
        {segmentsOf(text).join('\n')}
      </pre>
    </>
  );
}
