import { initialsOf } from '@insurance-verification/schema';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Mark } from '../../look/mark.tsx';
import { Page } from '../../look/page/page.tsx';
import { Loaded } from '../../look/state/loaded.tsx';
import { SkeletonRows } from '../../look/state/skeleton.tsx';
import { Time } from '../../look/time/time.tsx';
import { useMe } from '../../session/use-me.ts';
import { reasonText } from '../../words/reason-words.ts';
import { CHANNELS, STATES } from '../../words/request-words.ts';
import { AskedPart } from './asked-part.tsx';
import { BenefitsPart } from './benefits/benefits-part.tsx';
import { ErasedPart } from './erased-part.tsx';
import { ExchangesPart } from './exchanges/exchanges-part.tsx';
import { HeldNotice } from './held-notice.tsx';
import { PatientPart } from './patient-part.tsx';
import { RequestActions } from './request-actions.tsx';
import css from './request.module.css';
import { ResultPart } from './result-part.tsx';
import { Timeline } from './timeline/timeline-part.tsx';
import { useRequest } from './use-request.ts';

/** `/requests/{request_id}`: one request with its result, its timeline and its deliveries. */
export function RequestPage({ requestId }: { readonly requestId: string }) {
  const { data: me } = useMe();
  const { view, readers, mayKnowReaders, full, revealed, reveal } = useRequest(requestId, me);
  // No more than the person has seen: whoever looks after requests of others sees no patient before asking.
  const initials = initialsOf(revealed?.request.input.patient_info.name) ?? undefined;
  return (
    <Page
      title={view.data ? `Request to ${view.data.payer}` : 'Request'}
      heading={initials && view.data && `${initials} at ${view.data.payer}`}
      id={{ of: 'request', text: requestId }}
      actions={view.data && <RequestActions view={view.data} me={me} />}
    >
      <Loaded query={view} what="request" skeleton={<SkeletonRows count={10} />}>
        {(it) => (
          <>
            <p className={css.standing}>
              <Mark tone={STATES[it.state].tone}>{STATES[it.state].word}</Mark>
              <span>{it.account_name}</span>
              <span>{CHANNELS[it.channel]}</span>
              <span>
                received <Time at={it.received_timestamp} />
              </span>
              {it.error_reason && <span title={it.error_reason}>{reasonText(it.error_reason)}</span>}
            </p>
            <HeldNotice holds={it.holds} />
            {it.erased_at === null && <BenefitsPart view={it} isShown={revealed !== null} />}
            <div className={css.columns}>
              <Part title="What happened">
                <Timeline
                  view={{ ...it, ...full }}
                  readers={readers}
                  mayKnowReaders={mayKnowReaders}
                  mayReviewHeld={me?.scopes.includes('operate') ?? false}
                  mayReadAudit={me?.scopes.includes('audit') ?? false}
                />
              </Part>
              <div className={css.stack}>
                {it.erased_at === null ? (
                  <>
                    <Part title="Result">
                      <ResultPart view={it} revealed={revealed} />
                      {it.versions.length > 0 && (
                        <p>
                          <Link href={`/requests/${requestId}/proof`}>Proof of verification</Link>
                        </p>
                      )}
                    </Part>
                    <Part title="Patient">
                      <PatientPart patient={revealed?.request.input.patient_info ?? null} reveal={reveal} />
                    </Part>
                  </>
                ) : (
                  <Part title="Result and patient">
                    <ErasedPart at={it.erased_at} because={it.erased_because ?? 'retention'} />
                  </Part>
                )}
                <Part title="Asked">
                  <AskedPart view={it} callbackUrl={revealed?.request.input.callback_url} />
                </Part>
                {it.exchanges.length > 0 && it.erased_at === null && (
                  <Part title="Exchanges with the payer">
                    <ExchangesPart requestId={requestId} exchanges={it.exchanges} />
                  </Part>
                )}
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={css.part}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
