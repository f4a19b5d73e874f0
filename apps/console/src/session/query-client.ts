import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { failureOf } from '../api/failure.ts';
import { endSession } from './session.ts';

const noteEnd = (err: unknown) => {
  if (failureOf(err).kind === 'signed_out') endSession();
};

/** What is on screen, and how old it may be before it is read again. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteEnd }),
  mutationCache: new MutationCache({ onError: noteEnd }),
  defaultOptions: {
    // What the browser thinks of the network says nothing of a service on the same machine: it is asked.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      gcTime: 10 * 60_000,
      retryDelay: (count) => 500 * 2 ** count,
      // A refusal stays one. Without an answer, or with a 5xx, a moment later may do.
      retry: (count, err) => {
        const { kind, trace } = failureOf(err);
        return count < 2 && (kind === 'offline' || trace !== undefined);
      },
    },
  },
});
