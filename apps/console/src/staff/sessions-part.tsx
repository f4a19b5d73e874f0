import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import css from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Unseen } from '../look/mark.tsx';
import { FailureNotice } from '../look/notice.tsx';
import { type Column, Table } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { useMe } from '../session/use-me.ts';

type Session = Outputs['sessions']['list']['items'][number];

const WAYS = { link: 'A link', provider: 'The provider', passkey: 'A passkey' } as const;

/** The live sessions, with a button that ends one: all for an admin, the person's own for others. */
export function SessionsPart({ whose }: { readonly whose: 'everyone' | 'own' }) {
  const queries = useQueryClient();
  const me = useMe();
  const query = useQuery({
    queryKey: ['sessions.list'],
    queryFn: ({ signal }) => api.sessions.list.query({ limit: 100 }, { signal }),
    placeholderData: keepPreviousData,
  });
  const end = useMutation({
    mutationFn: (sessionId: string) => api.sessions.end.mutate({ session_id: sessionId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions.list'] }),
  });
  const columns: readonly Column<Session>[] = [
    {
      head: whose === 'own' ? 'Browser' : 'Person',
      is: 'name',
      cell: ({ device, name }) => (whose === 'own' ? (device ?? 'An unknown browser') : name),
    },
    {
      head: 'Session',
      cell: ({ session_id: id, device, name }) =>
        id === me.data?.session?.session_id ? (
          'This one'
        ) : (
          <span className={css.standing}>
            <Button disabled={end.isPending} onClick={() => end.mutate(id)}>
              End
              <Unseen>
                {whose === 'own'
                  ? ` the session in ${device ?? 'an unknown browser'}`
                  : ` the session of ${name}`}
              </Unseen>
            </Button>
          </span>
        ),
    },
    { head: 'Signed in', cell: (session) => <Time at={session.signed_in_at} /> },
    { head: 'Last used', from: 'middle', cell: (session) => <Time at={session.last_used_at} /> },
    { head: 'Ends unused', from: 'middle', cell: (session) => <Time at={session.idle_ends_at} /> },
    { head: 'By', from: 'middle', cell: ({ way }) => WAYS[way] },
  ];
  return (
    <section className={css.part}>
      <h2>{whose === 'own' ? 'Where you are signed in' : 'Who is signed in'}</h2>
      {end.error && <FailureNotice error={end.error} />}
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={3} />}>
        {({ items }) => (
          <Table
            caption={whose === 'own' ? 'Your sessions, newest first' : 'Sessions, newest first'}
            items={items.filter(({ staff_id: id }) => whose === 'everyone' || id === me.data?.id)}
            columns={columns}
            keyOf={({ session_id: id }) => id}
          />
        )}
      </Loaded>
    </section>
  );
}
