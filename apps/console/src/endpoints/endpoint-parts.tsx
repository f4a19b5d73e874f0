import { Link } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { NextTry } from '../deliveries/redeliver.tsx';
import { CopyButton } from '../look/button.tsx';
import { FactList } from '../look/fact-list.tsx';
import layoutCss from '../look/layout.module.css';
import { Mark } from '../look/mark.tsx';
import { Empty } from '../look/notice.tsx';
import { PagedList } from '../look/paged-list.tsx';
import { type Column, IdCell } from '../look/table.tsx';
import { WholeWords } from '../look/text/whole-words.tsx';
import { Time } from '../look/time.tsx';
import { DELIVERIES, EVENTS, SENDINGS } from '../words/request-words.ts';
import { EndpointState } from './endpoint-state.tsx';
import { COVERS, type Endpoint, eventsOf } from './endpoint-words.ts';

/** The facts of an endpoint: whether it takes events, what it missed, what it gets, and who added it. */
export function EndpointFacts({ endpoint }: { readonly endpoint: Endpoint }) {
  const { made_by: maker, missed_count: missed, failing_since: failing, disabled_at: off } = endpoint;
  return (
    <FactList
      facts={[
        ['Status', <EndpointState key="status" endpoint={endpoint} />],
        ['Failing since', off !== null && failing !== null && <Time at={failing} />],
        ['Missed while off', missed > 0 && eventsOf(missed)],
        ['It gets', endpoint.types.map((type) => EVENTS[type]).join(', ')],
        ['Events of', COVERS[endpoint.covers]],
        [
          'Added by',
          maker === null ? (
            'Its account'
          ) : (
            <IdCell key="maker">
              <code>{maker}</code>
              <CopyButton text={maker} name="the id of who added it" />
            </IdCell>
          ),
        ],
        ['Added', <Time key="added" at={endpoint.created_at} />],
      ]}
    />
  );
}

/** The events that were posted to an endpoint, newest first, each leading to its attempts. */
export function EndpointEvents({ endpointId }: { readonly endpointId: string }) {
  return (
    <section className={layoutCss.part}>
      <h2>Events</h2>
      <PagedList
        operation="deliveries.list"
        asked={endpointId}
        read={(part, signal) => api.deliveries.list.query({ endpoint_id: endpointId, ...part }, { signal })}
        isLive
        nouns={['event', 'events']}
        columns={COLUMNS}
        keyOf={({ delivery_id: id }) => id}
        isTarget
        none={
          <Empty title="No events yet">
            Each event of its types is posted as it happens. Test posts one now.
          </Empty>
        }
      />
    </section>
  );
}

type Posted = Outputs['deliveries']['list']['items'][number];

const COLUMNS: readonly Column<Posted>[] = [
  {
    head: 'Event',
    is: 'words',
    cell: ({ delivery_id: id, event_type: type }) => (
      <Link href={`/deliveries/${id}`} title={id}>
        <WholeWords text={type === null ? 'An altered event' : EVENTS[type]} />
      </Link>
    ),
  },
  {
    head: 'Status',
    cell: ({ status }) => <Mark tone={DELIVERIES[status].tone}>{DELIVERIES[status].word}</Mark>,
  },
  { head: 'Attempts', is: 'number', cell: (posted) => posted.attempt_count },
  { head: 'Last attempt', is: 'words', from: 'middle', cell: (posted) => <LastAttempt posted={posted} /> },
  {
    head: 'Next',
    is: 'words',
    from: 'laptop',
    cell: ({ next_attempt_at: next, paused_since: since }) =>
      next !== null && <NextTry at={next} pausedSince={since} />,
  },
  { head: 'Happened', from: 'middle', cell: ({ accepted_at: at }) => <Time at={at} /> },
];

/** How the last attempt ended, with the receiver's code, and when it began. */
function LastAttempt({ posted }: { readonly posted: Posted }) {
  const { last_outcome: outcome, last_status_code: code, last_attempt_at: at } = posted;
  if (outcome === null || at === null) return null;
  return (
    <>
      <WholeWords text={`${SENDINGS[outcome]}${code === null ? '' : ` (${code})`}, `} />
      <span className={layoutCss.quiet}>
        <Time at={at} />
      </span>
    </>
  );
}
