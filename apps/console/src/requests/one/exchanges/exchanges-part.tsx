import { useMutation } from '@tanstack/react-query';
import { api, type Outputs } from '../../../api/api.ts';
import { Button } from '../../../look/button/button.tsx';
import { CopyButton } from '../../../look/button/copy-button.tsx';
import { FailureNotice } from '../../../look/state/failure-notice.tsx';
import { Time } from '../../../look/time/time.tsx';
import css from '../request.module.css';
import { segmentsOf } from './segments-of.ts';

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
          <p className={css.quiet}>
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
            <p className={css.quiet}>No answer came.</p>
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
