import type { ReactNode } from 'react';
import { CopyButton } from '../look/copy-button.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Time } from '../look/time.tsx';
import { Facts } from './facts.tsx';
import { RequestActions } from './request-actions.tsx';
import { STATES } from './request-words.ts';
import css from './requests.module.css';
import { ResultPart } from './result-part.tsx';
import { timelineOf } from './timeline.ts';
import { useRequest } from './use-request.ts';

/** One request from its receipt to its last delivery. */
export function RequestPage({ requestId }: { readonly requestId: string }) {
  const { request, attempts, deliveries, result } = useRequest(requestId);
  return (
    <Page
      title={requestId}
      heading={
        <span className={css.id}>
          <code>{requestId}</code>
          <CopyButton text={requestId} name="the request id" />
        </span>
      }
      actions={
        request.data && <RequestActions request={request.data} deliveries={deliveries.data?.items ?? []} />
      }
    >
      <Loaded query={request} what="request" skeleton={<SkeletonRows count={10} />}>
        {(it) => (
          <>
            <p className={css.standing}>
              <Mark tone={STATES[it.state].tone}>{STATES[it.state].word}</Mark>
              <span>{it.input.payer_info.name}</span>
              <span>
                received <Time at={it.received_timestamp} />
              </span>
              {it.error_reason && <code>{it.error_reason}</code>}
            </p>
            <div className={css.columns}>
              <Part title="What happened">
                <Loaded query={attempts} what="list" skeleton={<SkeletonRows count={3} />}>
                  {(tried) => (
                    <Loaded query={deliveries} what="list" skeleton={<SkeletonRows count={3} />}>
                      {(sent) => (
                        <ol className={css.timeline}>
                          {timelineOf({ request: it, attempts: tried.items, deliveries: sent.items }).map(
                            (event) => (
                              <li key={`${event.at}${event.word}${event.details[0]}`}>
                                <Time at={event.at} />
                                <div>
                                  <Mark tone={event.tone}>{event.word}</Mark>
                                  {event.details.map((detail) => (
                                    <p key={detail}>{detail}</p>
                                  ))}
                                  {event.snippet !== undefined && (
                                    <details>
                                      <summary>What the receiver answered</summary>
                                      <pre tabIndex={0}>{event.snippet}</pre>
                                    </details>
                                  )}
                                </div>
                              </li>
                            ),
                          )}
                        </ol>
                      )}
                    </Loaded>
                  )}
                </Loaded>
              </Part>
              <div className={css.stack}>
                <Part title="Result">
                  <ResultPart result={result} isPending={it.state === 'pending'} />
                </Part>
                <Part title="Asked">
                  <Facts input={it.input} />
                </Part>
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
