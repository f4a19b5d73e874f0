import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import * as z from 'zod';
import { api } from '../api/api.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import type { Filter } from '../filters/filter.ts';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button/button.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { Notice } from '../look/state/notice.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { duration } from '../look/time/time.tsx';
import { beginRun, type Run, useEndedRun } from './desk/take-work.ts';
import { takeNext } from './desk/take-work.ts';
import { DoneList } from './done/done-list.tsx';
import { MyDay } from './my-day.tsx';
import { byPayer, PayerTable } from './payer-table.tsx';
import own from './work.module.css';

const Filters = z.object({ channel: z.enum(['manual_web_portal', 'manual_phone_call']).optional() });

const FIELDS: readonly Filter<'channel'>[] = [
  {
    name: 'channel',
    label: 'From',
    none: 'Portal and phone',
    choices: [
      ['manual_web_portal', 'Portal alone'],
      ['manual_phone_call', 'Phone alone'],
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
  const waiting = stats.data && byPayer(stats.data.items).waiting;
  return (
    <Page
      title="Work"
      actions={
        <>
          {waiting && waiting.length > 0 && (
            <p className={own.waiting}>
              {waiting.reduce((sum, { count }) => sum + count, 0)} wait, the oldest for{' '}
              {duration(Math.max(...waiting.map(({ oldestSeconds }) => oldestSeconds)))}
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
            : `Nothing more waits at ${ended.payer}. Next goes on with whoever has waited longest.`}
        </Notice>
      )}
      <MyDay />
      <Loaded query={stats} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items }) =>
          items.some((item) => item.channel.startsWith('manual_')) ? (
            <PayerTable {...byPayer(items)} onTake={next.isPending ? undefined : takeFrom} />
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
