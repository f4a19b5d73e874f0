import { useQuery } from '@tanstack/react-query';
import { actsFor, forgetAccount } from '../api/acts-for.ts';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { serverNow } from '../api/server-time.ts';
import { queryClient } from './query-client.ts';

export type Me = Outputs['sessions']['me'];

/** Seconds until the session ends without further use, by the service's clock; infinite for a key. */
export const secondsLeft = (me: Me | undefined): number =>
  me?.session ? (Date.parse(me.session.idle_ends_at) - serverNow()) / 1_000 : Number.POSITIVE_INFINITY;

/**
 * Reads the signed-in person. Where the account of this tab is suspended or not theirs, the tab goes back to the
 * default account.
 */
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

const KEY = ['sessions.me'];

/** The id of the signed-in person, whom every page reads first; null before. */
export const myId = (): string | null => queryClient.getQueryData<Me>(KEY)?.id ?? null;

/** The signed-in person with their roles and scopes. */
export const useMe = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => readMe(signal),
    staleTime: 60_000,
    // Shortly before its end the session may have been used in another tab; before the first answer nothing else asks.
    refetchInterval: ({ state: { data } }) => (!data || secondsLeft(data) < 90 ? 10_000 : 60_000),
  });
