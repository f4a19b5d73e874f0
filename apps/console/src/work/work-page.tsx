import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import * as z from 'zod';
import { api } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { FilterBar, type Filter } from '../filters/filter-bar.tsx';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button.tsx';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Empty, FailureNotice, Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { useQueryModel } from '../look/query-model.ts';
import { dayBegan } from '../look/read-date.ts';
import { duration, Time, useZone } from '../look/time.tsx';
import { CallBacksPart } from '../requests/call-backs-part.tsx';
import { DoneList } from './done.tsx';
import { useOutbox } from './outbox.tsx';
import { Age, byPayer, Needed, PayerTable } from './payer-table.tsx';
import { beginRun, type Run, takeNext, useEndedRun } from './take-work.ts';
import own from './work.module.css';

const Filters = z.object({ channel: z.enum(['manual_web_portal', 'manual_phone_call']).optional() });

const FIELDS: readonly Filter<'channel'>[] = [
  {
    name: 'channel',
    label: 'From',
    none: 'Portal and phone',
    choices: [
      ['manual_web_portal', 'Only portal'],
      ['manual_phone_call', 'Only phone'],
    ],
  },
];

/** `/work`: what waits for a person, payer by payer, and the button that leases the next request. */
export function WorkPage() {
  const [{ channel }, change] = useQueryModel(Filters);
  const [, go] = useLocation();
  const stats = useQuery({
    queryKey: ['work.stats', channel],
    queryFn: ({ signal }) => api.work.stats.query({ verifier: channel ?? 'person' }, { signal }),
    placeholderData: keepPreviousData,
  });
  const next = useMutation({
    mutationFn: (run: Run) => takeNext(beginRun(run)),
    onSuccess: (requestId) => {
      if (requestId !== null) go(`/work/${requestId}`);
      else void stats.refetch();
    },
  });
  const takeFrom = (payer?: string) => next.mutate({ payer, channel });
  const take = next.isPending ? undefined : () => takeFrom();
  const ended = useEndedRun();
  const keyOf = useKeyOf();
  useKeys({ next: take });
  // Ages grow from when they were read.
  const readAt = stats.dataUpdatedAt + serverNow() - Date.now();
  const waiting = stats.data && byPayer(stats.data.items, readAt).waiting;
  return (
    <Page
      title="Work"
      actions={
        <>
          {waiting && waiting.length > 0 && (
            <p className={own.waiting}>
              {waiting.reduce((sum, { count }) => sum + count, 0)} wait, the oldest for{' '}
              <Age since={Math.min(...waiting.map(({ oldestSince }) => oldestSince))} />
              <Needed of={waiting.flatMap(({ channels }) => channels)} before="; " />
            </p>
          )}
          <Button
            kind="primary"
            shortcut={keyOf('next')}
            disabled={next.isPending}
            onClick={take}
            className={own.next}
          >
            Next
          </Button>
        </>
      }
      filters={
        <FilterBar
          filters={FIELDS}
          values={{ channel }}
          onChange={(changes) => change(changes as Partial<z.infer<typeof Filters>>)}
        />
      }
    >
      {next.error && <FailureNotice error={next.error} />}
      {ended !== null && (
        <Notice tone="good">
          {ended.payer === undefined
            ? 'Nothing waits for a person just now. This page follows by itself.'
            : `Nothing more waits at ${ended.payer}. Next continues with the request that has waited longest.`}
        </Notice>
      )}
      <CallBacksPart leadsTo="/work" />
      <MyDay />
      <Loaded query={stats} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items }) =>
          items.some((item) => item.channel.startsWith('manual_')) ? (
            <PayerTable {...byPayer(items, readAt)} onTake={next.isPending ? undefined : takeFrom} />
          ) : (
            <Empty title="No payer’s route asks a person">
              Payers name the channels that are tried for them, in their order. A route with{' '}
              <code>manual_web_portal</code> or <code>manual_phone_call</code> brings work here.
            </Empty>
          )
        }
      </Loaded>
      <DoneList />
    </Page>
  );
}

/** The work that the person finished today, and their open drafts. */
function MyDay() {
  const { zone } = useZone();
  const day = useQuery({
    queryKey: ['work.day', zone],
    queryFn: ({ signal }) => api.work.day.query({ since: dayBegan(serverNow(), zone) }, { signal }),
    placeholderData: keepPreviousData,
  });
  const drafts = useQuery({
    // Not by the operation's name, by which events of others' work would have it read each second.
    queryKey: ['own drafts'],
    queryFn: ({ signal }) => api.drafts.list.query({ limit: 20 }, { signal }),
    placeholderData: keepPreviousData,
  });
  const { results } = useOutbox();
  const open = drafts.data?.items.filter(
    (draft) => !results.some((one) => one.requestId === draft.request_id),
  );
  const { data } = day;
  const facts: readonly (readonly [string, string | number])[] = [
    ['Done', data?.done_count ?? '–'],
    ['Could not verify', data?.failed_count ?? '–'],
    ['Median', data?.seconds_p50 ? duration(data.seconds_p50) : '–'],
    ['Drafts', data?.draft_count ?? '–'],
  ];
  return (
    <section className={own.day} aria-label="My day">
      <h2>My day</h2>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {open && open.length > 0 && (
        <ul>
          {open.map((draft) => (
            <li key={draft.request_id}>
              <Link href={`/work/${draft.request_id}`}>
                Continue with {draft.patient_initials ?? 'a patient'} at {draft.payer}
              </Link>
              <span>
                saved <Time at={draft.saved_at} />
              </span>
              {draft.is_leased ? (
                <Mark tone="wait">Taken, by you or a colleague</Mark>
              ) : (
                <Mark tone="quiet">Free</Mark>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
