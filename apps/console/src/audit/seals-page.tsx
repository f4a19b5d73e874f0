import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { Button, CopyButton } from '../look/button.tsx';
import { FactList } from '../look/fact-list.tsx';
import { Mark } from '../look/mark.tsx';
import { Empty, Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import { type Column, IdCell } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { useVerification, Verdict } from './verdict.tsx';

type SealList = Outputs['audit']['seals'];

/** `/audit/seals`: the seals of the audit, and a verification of its lines against them. */
export function SealsPage() {
  const verification = useVerification();
  const latest = useQuery({
    queryKey: ['audit.seals', 'latest'],
    queryFn: ({ signal }) => api.audit.seals.query({ limit: 1 }, { signal }),
  }).data?.items[0];
  return (
    <Page
      title="Seals"
      actions={
        <Button kind="primary" disabled={!latest || verification.isPending} onClick={verification.start}>
          Verify
        </Button>
      }
    >
      <p>
        Every ten seconds the new lines of <Link href="/audit">the audit</Link> are sealed by a key that is
        not in the database. <b>Verify</b> reads every line again and compares it with what was sealed.
      </p>
      <Verdict verification={verification} lineCount={latest?.tree_size} />
      <PagedList
        operation="audit.seals"
        read={(part, signal) => api.audit.seals.query(part, { signal })}
        limit={20}
        nouns={['seal', 'seals']}
        columns={COLUMNS}
        keyOf={({ seal }) => seal}
        none={<Empty title="No seals here">The first seal comes some seconds after the first call.</Empty>}
        above={(list) => (
          <>
            {list.verifier_keys.length === 0 && (
              <Notice tone="warn">
                Nothing is sealed: this service has no key for it. Set AUDIT_SEAL_KEY and start it again.
              </Notice>
            )}
            {list.stopped !== null && <Stopped stopped={list.stopped} />}
            <Standing list={list} />
          </>
        )}
      />
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

type Stop = NonNullable<Outputs['audit']['seals']['stopped']>;

/** What a person must know who finds that nothing is sealed any more. */
export function Stopped({ stopped }: { readonly stopped: Stop }) {
  return stopped.cause === 'blocked' ? <Blocked stopped={stopped} /> : <Differs stopped={stopped} />;
}

function Differs({ stopped: { cause, of, number, fault, since } }: { readonly stopped: Stop }) {
  const what = {
    seal: `Seal ${number?.toLocaleString('en-US') ?? ''}`.trim(),
    drop: `The record ${number ?? ''} of dropped lines`,
    resume: `The record that sealing was resumed after seal ${number ?? ''}`,
  }[of ?? 'seal'];
  const is = fault === 'absent' ? 'is gone' : 'is not what was signed';
  return (
    <Notice tone="bad">
      <p>
        Nothing is sealed since <Time at={since} />: {what} {is} in the database
        {cause === 'differs' && ', and the service’s own file of seals, outside of it, shows it'}. Somebody
        changed the past, or a restored backup or a failover lost its end.
      </p>
      <p>
        Keep the database as it is and verify it with the file. After a restore, whoever runs the service lets
        it go on: <code>iv audit resume --reason …</code> <a href="/console/help/seals">What to do</a>
      </p>
    </Notice>
  );
}

function Blocked({ stopped: { holders, since } }: { readonly stopped: Stop }) {
  return (
    <Notice tone="warn">
      <p>
        Nothing is sealed since <Time at={since} />: somebody in the database holds a lock and does not end.
        Whoever runs it finds them by
      </p>
      <ul>
        {holders.map(({ pid, application, role }) => (
          <li key={`${pid} ${application} ${role}`}>
            process {pid ?? 'unknown, a prepared transaction'}, application {application || 'without a name'},
            role {role ?? 'unknown'}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
