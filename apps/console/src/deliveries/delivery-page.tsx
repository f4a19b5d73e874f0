import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { CopyButton } from '../look/button.tsx';
import { FactList } from '../look/fact-list.tsx';
import { Named } from '../look/ids.tsx';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page.tsx';
import { IdCell } from '../look/table.tsx';
import { Host } from '../look/text/whole-words.tsx';
import { Time } from '../look/time.tsx';
import { untilRead } from '../session/query-client.ts';
import { reasonText } from '../words/reason-words.ts';
import { DELIVERIES, EVENTS, SENDINGS } from '../words/request-words.ts';
import css from './deliveries.module.css';
import { NextTry, RedeliverButton } from './redeliver.tsx';

/** `/deliveries/{delivery_id}`: one delivery with each attempt, its headers and its answer. */
export function DeliveryPage({ deliveryId }: { readonly deliveryId: string }) {
  const query = useQuery({
    queryKey: ['deliveries.get', deliveryId],
    queryFn: ({ signal }) => api.deliveries.get.query({ delivery_id: deliveryId }, { signal }),
    refetchInterval: (it) => (it.state.data?.status === 'pending' ? 5_000 : untilRead(it)),
  });
  return (
    <Page
      title={query.data ? headlineOf(query.data) : 'Delivery'}
      id={{ of: 'delivery', text: deliveryId }}
      actions={query.data && <RedeliverButton requestId={query.data.request_id} delivery={query.data} />}
    >
      <Loaded query={query} what="delivery" skeleton={<SkeletonRows count={8} />}>
        {(it) => (
          <>
            <Facts delivery={it} />
            <section className={css.part}>
              <h2>Attempts</h2>
              {it.attempts.length === 0 ? (
                <p className={css.quiet}>None yet.</p>
              ) : (
                <ol className={css.attempts}>
                  {it.attempts.toReversed().map((attempt) => (
                    <AttemptPart key={attempt.number} attempt={attempt} delivery={it} />
                  ))}
                </ol>
              )}
            </section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** `Delivered: Payer Plan 1 to billing.example:443`; of an event with what happened. */
function headlineOf({ status, payer, event_type: event, host }: Outputs['deliveries']['get']): string {
  return `${DELIVERIES[status].word}: ${event === null ? (payer ?? 'an altered event') : EVENTS[event]} to ${host ?? 'an address that does not open'}`;
}

function Facts({ delivery: it }: { readonly delivery: Outputs['deliveries']['get'] }) {
  return (
    <FactList
      facts={[
        [
          'Status',
          <Mark key="status" tone={DELIVERIES[it.status].tone}>
            {DELIVERIES[it.status].word}
          </Mark>,
        ],
        ['Reason', it.reason && <span title={it.reason}>{reasonText(it.reason)}</span>],
        [
          'Next attempt',
          it.next_attempt_at && <NextTry key="next" at={it.next_attempt_at} pausedSince={it.paused_since} />,
        ],
        [
          'A redelivery',
          it.paused_since && 'tries its receiver at once, before the others that wait for it.',
        ],
        [
          'Request',
          it.request_id && (
            <IdCell key="request">
              <Link href={`/requests/${it.request_id}`}>
                <code>{it.request_id}</code>
              </Link>
              <CopyButton text={it.request_id} name="the request id" />
            </IdCell>
          ),
        ],
        ['Result', it.version !== null && `Version ${it.version}`],
        [
          'Event',
          it.event_id && (
            <IdCell key="event">
              <code>{it.event_id}</code>
              <CopyButton text={it.event_id} name="the event id" />
            </IdCell>
          ),
        ],
        [
          'Endpoint',
          it.endpoint_id && (
            <IdCell key="endpoint">
              <Link href={`/endpoints/${it.endpoint_id}`}>
                <code>{it.endpoint_id}</code>
              </Link>
              <CopyButton text={it.endpoint_id} name="the endpoint id" />
            </IdCell>
          ),
        ],
        ['Host', it.host && <Host key="host" host={it.host} />],
        ['Payer', it.payer],
        ['Patient', it.patient_initials],
        ['Account', <Named key="account" id={it.account_id} name={it.account_name} />],
        ['Accepted', <Time key="accepted" at={it.accepted_at} />],
        ['Done', it.done_at && <Time at={it.done_at} />],
      ]}
    />
  );
}

type Delivery = Outputs['deliveries']['get'];

interface AttemptPartProps {
  readonly delivery: Delivery;
  readonly attempt: Delivery['attempts'][number];
}

/** One attempt of a delivery: its time, its duration, the headers that were sent, and the answer. */
function AttemptPart({ delivery, attempt }: AttemptPartProps) {
  const succeeded = attempt.outcome === 'succeeded';
  const code = attempt.status_code === null ? '' : ` (${attempt.status_code})`;
  return (
    <li>
      <div className={css.line}>
        <strong>{attempt.number}</strong>
        <Mark tone={succeeded ? 'good' : 'warn'}>{`${SENDINGS[attempt.outcome]}${code}`}</Mark>
        <Time at={attempt.at} />
        <span className={css.quiet}>{attempt.duration_ms} ms</span>
      </div>
      <details>
        <summary>Headers that were sent</summary>
        <pre tabIndex={0}>{headersOf(delivery, attempt)}</pre>
      </details>
      {attempt.response_snippet ? (
        <details open={!succeeded}>
          <summary>What the receiver answered</summary>
          <pre tabIndex={0}>{attempt.response_snippet}</pre>
        </details>
      ) : (
        <p className={css.quiet}>{withoutAnswer(delivery, attempt)}</p>
      )}
    </li>
  );
}

/** Why an attempt shows no answer. */
function withoutAnswer(
  { event_id: eventId }: Delivery,
  { status_code: code }: AttemptPartProps['attempt'],
): string {
  if (code === null) return 'No answer came.';
  return eventId === null ? 'The answer had no body.' : 'What an endpoint answers is not kept.';
}

/** The signed headers without the signature, which is never shown: it proves who the sender is. */
function headersOf(
  { delivery_id: id, event_id: eventId, version }: Delivery,
  { at }: AttemptPartProps['attempt'],
): string {
  return [
    'content-type: application/json',
    `webhook-id: ${eventId ?? id}`,
    `webhook-timestamp: ${Math.floor(Date.parse(at) / 1_000)}`,
    'webhook-signature: v1,…',
    ...(version === null ? [] : [`verification-version: ${version}`]),
  ].join('\n');
}
