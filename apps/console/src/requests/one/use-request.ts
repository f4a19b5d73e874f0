import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import type { Me } from '../../session/use-me.ts';

/**
 * One request with everything that happened to it, and its patient once somebody asked. The access log is read apart,
 * and not again with each change: each reading of it is in it.
 */
export function useRequest(requestId: string, me: Me | undefined) {
  const input = { request_id: requestId };
  const queries = useQueryClient();
  const view = useQuery({
    queryKey: ['requests.view', requestId],
    queryFn: ({ signal }) => api.requests.view.query(input, { signal }),
  });
  const mayKnowReaders = me?.scopes.some((scope) => scope === 'operate' || scope === 'audit') ?? false;
  const readers = useQuery({
    queryKey: ['readers', requestId],
    queryFn: ({ signal }) => api.requests.readers.query(input, { signal }),
    enabled: mayKnowReaders && view.data !== undefined,
  });
  const reveal = useMutation({
    mutationFn: () => api.requests.reveal.mutate(input),
    gcTime: 0, // a patient's data stays no longer than the page
    onSuccess: () => queries.invalidateQueries({ queryKey: ['readers', requestId] }),
  });
  // What the view keeps back with the patient: notes, quotes, and what receivers answered.
  const isAskedFor = reveal.data !== undefined;
  const state = view.data?.state;
  const attempts = useQuery({
    queryKey: ['requests.attempts', requestId, state],
    queryFn: ({ signal }) => api.requests.attempts.query(input, { signal }),
    enabled: isAskedFor,
  });
  const deliveries = useQuery({
    queryKey: ['requests.deliveries', requestId, state],
    queryFn: ({ signal }) => api.requests.deliveries.query(input, { signal }),
    enabled: isAskedFor,
  });
  return {
    view,
    readers,
    mayKnowReaders,
    full: {
      ...(attempts.data && { attempts: attempts.data.items }),
      ...(deliveries.data && { deliveries: deliveries.data.items }),
    },
    revealed: view.data?.revealed ?? reveal.data ?? null,
    reveal,
  };
}
