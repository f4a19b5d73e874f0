import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { modeOf, seesBoth, TESTS_FILTER } from '../filters/tests-filter.ts';
import { Button, CopyButton } from '../look/button.tsx';
import { Named } from '../look/ids.tsx';
import layoutCss from '../look/layout.module.css';
import { Mark } from '../look/mark.tsx';
import { Empty, Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import { useQueryModel } from '../look/query-model.ts';
import { type Column, IdCell } from '../look/table.tsx';
import { TestMark } from '../look/test-mark.tsx';
import { shownText } from '../look/text/shown-text.ts';
import { Whole, WholeWords } from '../look/text/whole-words.tsx';
import { Time } from '../look/time.tsx';
import { useMe } from '../session/use-me.ts';
import { DELIVERIES, EVENTS, SENDINGS } from '../words/request-words.ts';
import { FIELDS, Filters, inputOf, NextTry, RedeliverDialog } from './redeliver.tsx';

/** `/deliveries`: the deliveries of results and events to their receivers, newest first. */
export function DeliveriesPage() {
  const [filters, change] = useQueryModel(Filters);
  const { data: me } = useMe();
  const queries = useQueryClient();
  const [isRedelivering, setIsRedelivering] = useState(false);
  const [sentCount, setSentCount] = useState<number | null>(null);
  const { order, ...asked } = filters;
  const input = { ...inputOf(filters), ...modeOf(filters, me), order };
  const mayChange = me?.scopes.some((scope) => scope === 'requests' || scope === 'operate') ?? false;
  const seesAll = me?.scopes.includes('operate') ?? false;
  const canRedeliver =
    mayChange && (filters.status === undefined || ['exhausted', 'delivered'].includes(filters.status));
  return (
    <Page
      title="Deliveries"
      actions={canRedeliver && <Button onClick={() => setIsRedelivering(true)}>Deliver again …</Button>}
      filters={
        <FilterBar
          filters={[
            ...(seesAll ? FIELDS : FIELDS.filter(({ name }) => name !== 'account_id')),
            ...(seesBoth(me) ? [TESTS_FILTER] : []),
          ]}
          values={asked}
          onChange={(changes) => change(changes as Partial<Filters>)}
        />
      }
    >
      {sentCount !== null && (
        <Notice tone="good" action={<Button onClick={() => setSentCount(null)}>Close</Button>}>
          {sentCount === 1 ? '1 delivery is' : `${sentCount} deliveries are`} on the way again.
        </Notice>
      )}
      <PagedList
        operation="deliveries.list"
        asked={input}
        read={(part, signal) => api.deliveries.list.query({ ...input, ...part }, { signal })}
        isLive
        nouns={['delivery', 'deliveries']}
        columns={seesAll ? COLUMNS : COLUMNS.filter(({ head }) => head !== 'Clinic')}
        keyOf={({ delivery_id: id }) => id}
        isTarget
        order={{
          isOldestFirst: order === 'oldest',
          onTurn: () => change({ order: order === 'oldest' ? undefined : 'oldest' }),
        }}
        isFiltered={Object.values(asked).some((value) => value !== undefined)}
        none={<Empty title="No deliveries yet">The first shows here as soon as a result is accepted.</Empty>}
      />
      {isRedelivering && (
        <RedeliverDialog
          filters={filters}
          onClose={(count) => {
            setIsRedelivering(false);
            setSentCount(count);
            if (count !== null) void queries.invalidateQueries({ queryKey: ['deliveries.list'] });
          }}
        />
      )}
    </Page>
  );
}

type Summary = Outputs['deliveries']['list']['items'][number];

const COLUMNS: readonly Column<Summary>[] = [
  {
    head: 'Payer or event',
    is: 'line',
    cell: ({ delivery_id: id, payer, event_type: event, account_mode: mode }) => {
      const name = event === null ? (payer ?? id) : EVENTS[event];
      return (
        <IdCell>
          <Link href={`/deliveries/${id}`} title={shownText(name)}>
            <WholeWords text={name} />
          </Link>
          <TestMark mode={mode} />
          <CopyButton text={id} name="the delivery id" />
        </IdCell>
      );
    },
  },
  {
    head: 'Patient',
    cell: ({ patient_initials: initials }) => initials !== null && <Whole>{initials}</Whole>,
  },
  {
    head: 'Clinic',
    is: 'line',
    from: 'laptop',
    cell: (item) => <Named id={item.account_id} name={item.account_name} />,
  },
  { head: 'Host', is: 'line', from: 'middle', cell: ({ host }) => host },
  {
    head: 'Status',
    cell: ({ status }) => <Mark tone={DELIVERIES[status].tone}>{DELIVERIES[status].word}</Mark>,
  },
  { head: 'Attempts', is: 'number', from: 'laptop', cell: (item) => item.attempt_count },
  {
    head: 'Next or why',
    is: 'line',
    from: 'middle',
    cell: (item) => (item.next_attempt_at !== null || hasFailed(item)) && <NextOrWhy delivery={item} />,
  },
  { head: 'Accepted', from: 'laptop', turns: true, cell: ({ accepted_at: at }) => <Time at={at} /> },
];

const hasFailed = ({ last_outcome: outcome }: Summary) => outcome !== null && outcome !== 'succeeded';

/** When it is sent next, and how the last attempt failed: for what was given up, the reason. */
function NextOrWhy({ delivery }: { readonly delivery: Summary }) {
  const { next_attempt_at: next, paused_since: since, reason } = delivery;
  const { last_outcome: outcome, last_status_code: code } = delivery;
  const why =
    outcome !== null && hasFailed(delivery) && `${SENDINGS[outcome]}${code === null ? '' : `: ${code}`}`;
  return (
    <>
      {next !== null && <NextTry at={next} pausedSince={since} />}
      {next !== null && why !== false && ', '}
      {why !== false && (
        <span
          className={next === null ? undefined : layoutCss.quiet}
          title={`${why}${reason === null ? '' : ` (${reason})`}`}
        >
          <WholeWords text={why} />
        </span>
      )}
    </>
  );
}
