import { useQuery } from '@tanstack/react-query';
import { actsFor, forgetAccount } from '../api/acts-for.ts';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { serverNow } from '../api/server-time.ts';

export type Me = Outputs['sessions']['me'];

/** Seconds until the session ends, unless it is used before. */
export const secondsLeft = (me: Me | undefined): number =>
  me?.session ? (Date.parse(me.session.idle_ends_at) - serverNow()) / 1_000 : Number.POSITIVE_INFINITY;

/** The account that this tab acts for may have been suspended meanwhile, or be closed to who signed in after. */
async function readMe(signal: AbortSignal): Promise<Me> {
  try {
    return await api.sessions.me.query(undefined, { signal });
  } catch (err) {
    const { kind } = failureOf(err);
    if (actsFor() === null || (kind !== 'not_found' && kind !== 'forbidden')) throw err;
    forgetAccount();
    return api.sessions.me.query(undefined, { signal });
  }
}

/** Who is signed in, and what they may do. */
export const useMe = () =>
  useQuery({
    queryKey: ['sessions.me'],
    queryFn: ({ signal }) => readMe(signal),
    staleTime: 60_000,
    // Shortly before its end the session may have been used in another tab.
    refetchInterval: ({ state: { data } }) => (secondsLeft(data) < 90 ? 10_000 : 60_000),
  });
