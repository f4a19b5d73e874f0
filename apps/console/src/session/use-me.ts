import { useQuery } from '@tanstack/react-query';
import { api, type Outputs } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';

export type Me = Outputs['sessions']['me'];

/** Seconds until the session ends, unless it is used before. */
export const secondsLeft = (me: Me | undefined): number =>
  me?.session ? (Date.parse(me.session.idle_ends_at) - serverNow()) / 1_000 : Number.POSITIVE_INFINITY;

/** Who is signed in, and what they may do. */
export const useMe = () =>
  useQuery({
    queryKey: ['sessions.me'],
    queryFn: ({ signal }) => api.sessions.me.query(undefined, { signal }),
    staleTime: 60_000,
    // Shortly before its end the session may have been used in another tab.
    refetchInterval: ({ state: { data } }) => (secondsLeft(data) < 90 ? 10_000 : 60_000),
  });
