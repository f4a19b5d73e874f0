import { CloseReason } from '@insurance-verification/schema';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api, type Outputs } from '../../api/api.ts';
import { RedeliverButton } from '../../deliveries/redeliver.tsx';
import { Button } from '../../look/button.tsx';
import { FormDialog } from '../../look/dialog.tsx';
import formCss from '../../look/form.module.css';
import { Loaded, SkeletonRows } from '../../look/loaded.tsx';
import { Mark } from '../../look/mark.tsx';
import { Notice } from '../../look/notice.tsx';
import { Page } from '../../look/page.tsx';
import { Time } from '../../look/time.tsx';
import { type Me, useMe } from '../../session/use-me.ts';
import { reasonText } from '../../words/reason-words.ts';
import { CHANNELS, STATES } from '../../words/request-words.ts';
import { PayerWait } from '../payer-wait.tsx';
import { BenefitsPart } from './benefits-part.tsx';
import {
  AskedPart,
  ErasedPart,
  ExchangesPart,
  HeldNotice,
  PatientPart,
  ResultLines,
  ResultPart,
} from './request-parts.tsx';
import css from './request.module.css';
import { Timeline } from './timeline-part.tsx';

/** `/requests/{request_id}`: one request with its result, its timeline and its deliveries. */
export function RequestPage({ requestId }: { readonly requestId: string }) {
  const { data: me } = useMe();
  const { view, readers, mayKnowReaders, full, revealed, reveal } = useRequest(requestId, me);
  // As the list has them, which is where the person comes from; the name is shown to those who ask.
  const initials = view.data?.patient_initials;
  return (
    <Page
      title={view.data ? `Request to ${view.data.payer}` : 'Request'}
      heading={initials && view.data ? `${initials} at ${view.data.payer}` : undefined}
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
            {it.waiting_for_payer && (
              <Notice tone="warn">
                <PayerWait payer={it.payer} wait={it.waiting_for_payer} />
              </Notice>
            )}
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
                      <ResultLines versions={it.versions} />
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

/**
 * One request with everything that happened to it, and its patient once somebody asked. The access log is read apart,
 * and not again with each change: each reading of it is in it.
 */
function useRequest(requestId: string, me: Me | undefined) {
  const input = { request_id: requestId };
  const queries = useQueryClient();
  const view = useQuery({
    queryKey: ['requests.view', requestId],
    queryFn: ({ signal }) => api.requests.view.query(input, { signal }),
  });
  const mayKnowReaders = me?.scopes.some((scope) => scope === 'operate' || scope === 'audit') ?? false;
  const readers = useQuery({
    queryKey: ['readers', requestId],
    queryFn: ({ signal }) => api.requests.readers.query(input, { signal }),
    enabled: mayKnowReaders && view.data !== undefined,
  });
  const reveal = useMutation({
    mutationFn: () => api.requests.reveal.mutate(input),
    gcTime: 0, // a patient's data stays no longer than the page
    onSuccess: () => queries.invalidateQueries({ queryKey: ['readers', requestId] }),
  });
  // What the view keeps back with the patient: notes, quotes, and what receivers answered.
  const isAskedFor = reveal.data !== undefined;
  const state = view.data?.state;
  const attempts = useQuery({
    queryKey: ['requests.attempts', requestId, state],
    queryFn: ({ signal }) => api.requests.attempts.query(input, { signal }),
    enabled: isAskedFor,
  });
  const deliveries = useQuery({
    queryKey: ['requests.deliveries', requestId, state],
    queryFn: ({ signal }) => api.requests.deliveries.query(input, { signal }),
    enabled: isAskedFor,
  });
  return {
    view,
    readers,
    mayKnowReaders,
    full: {
      ...(attempts.data && { attempts: attempts.data.items }),
      ...(deliveries.data && { deliveries: deliveries.data.items }),
    },
    revealed: view.data?.revealed ?? reveal.data ?? null,
    reveal,
  };
}

interface RequestActionsProps {
  readonly view: Outputs['requests']['view'];
  readonly me: Me | undefined;
}

/** The buttons for a request in its present state. */
function RequestActions({ view, me }: RequestActionsProps) {
  const queries = useQueryClient();
  const [isClosing, setIsClosing] = useState(false);
  const [, go] = useLocation();
  const { request_id: id, deliveries, state } = view;
  const isErased = view.erased_at !== null;
  const mayCreate = me?.scopes.includes('requests') ?? false;
  const mayClose = mayCreate || (me?.scopes.includes('operate') ?? false);
  const again = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(id) });
  const latest = deliveries.at(-1);
  return (
    <>
      {mayCreate && !isErased && (
        <Button onClick={() => go('/requests/new', { state: { from: id } })}>New from this one</Button>
      )}
      {latest && !isErased && <RedeliverButton requestId={id} delivery={latest} />}
      {state === 'pending' && mayClose && !isErased && (
        <Button onClick={() => setIsClosing(true)}>Close …</Button>
      )}
      {isClosing && (
        <CloseDialog
          requestId={id}
          onClose={() => {
            setIsClosing(false);
            void again();
          }}
        />
      )}
    </>
  );
}

const WHY: Readonly<Record<string, string>> = {
  withdrawn: 'Withdrawn: the answer is no longer needed',
  expired: 'Expired: it comes too late to be of use',
};

function CloseDialog({ requestId, onClose }: { readonly requestId: string; readonly onClose: () => void }) {
  const close = useMutation({
    mutationFn: (reason: CloseReason) => api.requests.close.mutate({ request_id: requestId, reason }),
    onSuccess: onClose,
  });
  const [reason, setReason] = useState<CloseReason>('withdrawn');
  return (
    <FormDialog
      title="Close the request"
      act="Close the request"
      kind="danger"
      doing={close}
      onSubmit={() => close.mutate(reason)}
      onClose={onClose}
    >
      <p>
        The requester’s callback address gets a webhook at once that it could not be verified, with the
        reason. This cannot be undone.
      </p>
      <fieldset className={formCss.choices}>
        <legend>Reason</legend>
        {CloseReason.options
          .filter((option) => Object.hasOwn(WHY, option))
          .map((option) => (
            <label key={option}>
              <input
                type="radio"
                name="reason"
                checked={reason === option}
                onChange={() => setReason(option)}
              />
              {WHY[option]}
            </label>
          ))}
      </fieldset>
    </FormDialog>
  );
}
