import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';

/** A request that still changes is read again while somebody looks. */
const LIVE_MS = 5_000;

/** All that is known of one request, side by side: what fails alone is told alone. */
export function useRequest(requestId: string) {
  const input = { request_id: requestId };
  const request = useQuery({
    queryKey: ['requests.get', requestId],
    queryFn: ({ signal }) => api.requests.get.query(input, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? LIVE_MS : false),
  });
  const state = request.data?.state;
  const isLive = state === 'pending';
  const attempts = useQuery({
    queryKey: ['requests.attempts', requestId, state],
    queryFn: ({ signal }) => api.requests.attempts.query(input, { signal }),
    enabled: state !== undefined,
    refetchInterval: isLive ? LIVE_MS : false,
  });
  const deliveries = useQuery({
    queryKey: ['requests.deliveries', requestId, state],
    queryFn: ({ signal }) => api.requests.deliveries.query(input, { signal }),
    enabled: state !== undefined,
    refetchInterval: ({ state: { data } }) =>
      isLive || data?.items.some(({ status }) => status === 'pending') ? LIVE_MS : false,
  });
  const result = useQuery({
    queryKey: ['requests.result', requestId, state],
    // None yet is an answer.
    queryFn: ({ signal }) =>
      api.requests.result.query(input, { signal }).catch((err: unknown) => {
        if (failureOf(err).code === 'result_not_ready') return null;
        throw err;
      }),
    enabled: state !== undefined && !isLive,
  });
  return { request, attempts, deliveries, result };
}
