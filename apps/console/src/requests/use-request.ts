import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';

/** All that is known of one request, side by side: what fails alone is told alone. */
export function useRequest(requestId: string) {
  const input = { request_id: requestId };
  const request = useQuery({
    queryKey: ['requests.get', requestId],
    queryFn: ({ signal }) => api.requests.get.query(input, { signal }),
  });
  const state = request.data?.state;
  const attempts = useQuery({
    queryKey: ['requests.attempts', requestId, state],
    queryFn: ({ signal }) => api.requests.attempts.query(input, { signal }),
    enabled: state !== undefined,
  });
  const deliveries = useQuery({
    queryKey: ['requests.deliveries', requestId, state],
    queryFn: ({ signal }) => api.requests.deliveries.query(input, { signal }),
    enabled: state !== undefined,
  });
  const result = useQuery({
    queryKey: ['requests.result', requestId, state],
    // None yet is an answer.
    queryFn: ({ signal }) =>
      api.requests.result.query(input, { signal }).catch((err: unknown) => {
        if (failureOf(err).code === 'result_not_ready') return null;
        throw err;
      }),
    enabled: state !== undefined && state !== 'pending',
  });
  return { request, attempts, deliveries, result };
}
