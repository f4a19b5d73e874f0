import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import { FactList } from '../look/fact-list.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { useKeptPlace } from '../look/page/use-place.ts';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { Notice } from '../look/state/notice.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Pager, PLACE } from '../look/table/pager.tsx';
import { type Column, IdCell, Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { Time } from '../look/time/time.tsx';
import { Stopped } from './stopped.tsx';
import { useVerification } from './use-verification.ts';
import { Verdict } from './verdict.tsx';

type SealList = Outputs['audit']['seals'];

const Place = z.object(PLACE);

const LIMIT = 20;

/** `/audit/seals`: the seals of the audit, and a verification of its lines against them. */
export function SealsPage() {
  const [{ cursor, page }, change] = useQueryModel(Place);
  const query = useQuery({
    queryKey: ['audit.seals', cursor],
    queryFn: ({ signal }) => api.audit.seals.query({ limit: LIMIT, cursor }, { signal }),
    placeholderData: keepPreviousData,
  });
  const verification = useVerification();
  useKeptPlace(query.data !== undefined);
  const isSealed = query.data !== undefined && query.data.items.length > 0;
  return (
    <Page
      title="Seals"
      actions={
        <Button kind="primary" disabled={!isSealed || verification.isPending} onClick={verification.start}>
          Verify
        </Button>
      }
    >
      <p>
        Every ten seconds the new lines of <Link href="/audit">the audit</Link> are sealed by a key that is
        not in the database. <b>Verify</b> reads every line again and compares it with what was sealed.
      </p>
      <Verdict verification={verification} lineCount={query.data?.items[0]?.tree_size} />
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={14} />}>
        {(list) => (
          <>
            {list.verifier_keys.length === 0 && (
              <Notice tone="warn">
                Nothing is sealed: this service has no key for it. Whoever runs it sets AUDIT_SEAL_KEY.
              </Notice>
            )}
            {list.stopped !== null && <Stopped stopped={list.stopped} />}
            <Standing list={list} />
            {list.items.length === 0 ? (
              <Empty title={cursor === undefined ? 'Nothing is sealed yet' : 'No older seals'}>
                {cursor === undefined
                  ? 'The first seal comes some seconds after the first call.'
                  : 'The first one is on the page before.'}
              </Empty>
            ) : (
              <Table
                caption="Seals, newest first"
                items={list.items}
                columns={COLUMNS}
                keyOf={({ seal }) => seal}
              />
            )}
            <Pager place={{ cursor, page }} next={list.next_cursor} count={list.items.length} onGo={change} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Standing({ list }: { readonly list: SealList }) {
  const { verifier_keys: keys, unsealed_since: since, unsealed_count: count } = list;
  return (
    <FactList
      facts={[
        [
          'Not sealed yet',
          since === null ? (
            'nothing'
          ) : (
            <>
              about {count.toLocaleString('en-US')} {count === 1 ? 'line' : 'lines'}, since{' '}
              <Time at={since} />
            </>
          ),
        ],
        ...keys.map(
          (key, index) =>
            [
              index === 0 ? 'Public key' : 'Public key before',
              <IdCell key={key}>
                <code title={key}>{shortKey(key)}</code>
                <CopyButton text={key} name="the public key" />
              </IdCell>,
            ] as const,
        ),
      ]}
    />
  );
}

type Seal = SealList['items'][number];

const count = (number: number) => number.toLocaleString('en-US');

const COLUMNS: readonly Column<Seal>[] = [
  { head: 'Seal', is: 'number', cell: ({ seal }) => count(seal) },
  {
    head: 'When',
    cell: (seal) => (
      <>
        <Time at={seal.sealed_at} />
        {seal.misdated_count > 0 && <Mark tone="bad">{`${count(seal.misdated_count)} of another time`}</Mark>}
      </>
    ),
  },
  { head: 'Lines', is: 'number', cell: (seal) => count(seal.line_count) },
  { head: 'From line', is: 'number', from: 'middle', cell: (seal) => count(Number(seal.first_id)) },
  { head: 'To line', is: 'number', from: 'middle', cell: (seal) => count(Number(seal.last_id)) },
  {
    head: 'Root of the tree',
    cell: (seal) => (
      <IdCell>
        <code title={seal.root}>{seal.root.slice(0, 10)}…</code>
        <CopyButton text={seal.note} name={`seal ${seal.seal} with its signature`} />
      </IdCell>
    ),
  },
];

const shortKey = (key: string) => key.replace(/\+[^+]+$/, '+…');
