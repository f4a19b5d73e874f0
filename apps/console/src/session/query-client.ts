import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { AGAIN_MS, failureOf, mayBeReadLater } from '../api/failure.ts';
import { endSession, hasSessionEnded, subscribeToSession } from '../api/session.ts';

const noteEnd = (err: unknown) => {
  if (failureOf(err).kind === 'signed_out') endSession();
};

// What the browser thinks of the network says nothing of a service on the same machine, which is asked anyway. Without a
// session there is nothing to ask: what would be read waits, and is read once somebody has signed in.
onlineManager.setEventListener((setReads) => subscribeToSession(() => setReads(!hasSessionEnded())));

/** Reads that show a patient. */
const OF_PATIENTS = [
  'batches.results',
  'benefits',
  'deliveries.get',
  'earlier',
  'heldOutputs.compare',
  'own drafts',
  'proof',
  'requests.attempts',
  'requests.deliveries',
  'requests.list',
  'requests.view',
];

/** What had no answer yet is read again until it has: a page that was not loaded loads by itself. */
export const untilRead = ({
  state: { data, error },
}: {
  readonly state: { readonly data: unknown; readonly error: unknown };
}): number | false => data === undefined && error !== null && mayBeReadLater(error) && AGAIN_MS;

/** The cache of reads, with their retries and their maximum age of five seconds. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteEnd }),
  mutationCache: new MutationCache({ onError: noteEnd }),
  defaultOptions: {
    // What a call answered, a patient's request among it, stays no longer than what shows it.
    mutations: { networkMode: 'always', gcTime: 0 },
    queries: {
      networkMode: 'online',
      refetchOnReconnect: false, // who signs in again has everything read again
      staleTime: 5_000,
      gcTime: 10 * 60_000,
      retryDelay: (count) => 500 * 2 ** count,
      // A refusal stays one. Without an answer, or with a 5xx, a moment later may do.
      retry: (count, err) => count < 2 && mayBeReadLater(err),
      refetchInterval: untilRead,
    },
  },
});

// A patient's data stays no longer than the page that shows it: what is erased meanwhile must not be shown again.
for (const name of OF_PATIENTS) queryClient.setQueryDefaults([name], { gcTime: 0 });
