import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import css from '../access/access.module.css';
import { api } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Table } from '../look/table/table.tsx';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import { useMe } from '../session/use-me.ts';

const WAYS = { link: 'A link', provider: 'The provider', passkey: 'A passkey' } as const;

/** The live sessions, with a button that ends one: all for an admin, the person's own for anybody else. */
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
  return (
    <section className={css.part}>
      <h2>{whose === 'own' ? 'Where you are signed in' : 'Who is signed in'}</h2>
      {end.error && <FailureNotice error={end.error} />}
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={3} />}>
        {({ items }) => (
          <Table
            caption={whose === 'own' ? 'Your sessions, newest first' : 'Sessions, newest first'}
            columns={[
              whose === 'own' ? 'Browser' : 'Person',
              'Session',
              'Signed in',
              'Last used',
              'Ends unused',
              'By',
            ]}
          >
            {items
              .filter((session) => whose === 'everyone' || session.staff_id === me.data?.id)
              .map((session) => (
                <tr key={session.session_id}>
                  <th scope="row">
                    {whose === 'own' ? (session.device ?? 'An unknown browser') : session.name}
                  </th>
                  <td>
                    {session.session_id === me.data?.session?.session_id ? (
                      'This one'
                    ) : (
                      <span className={css.standing}>
                        <Button disabled={end.isPending} onClick={() => end.mutate(session.session_id)}>
                          End
                          <Unseen>
                            {whose === 'own'
                              ? ` the session in ${session.device ?? 'an unknown browser'}`
                              : ` the session of ${session.name}`}
                          </Unseen>
                        </Button>
                      </span>
                    )}
                  </td>
                  <td>
                    <Time at={session.signed_in_at} />
                  </td>
                  <td>
                    <Time at={session.last_used_at} />
                  </td>
                  <td>
                    <Time at={session.idle_ends_at} />
                  </td>
                  <td>{WAYS[session.way]}</td>
                </tr>
              ))}
          </Table>
        )}
      </Loaded>
    </section>
  );
}
