import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';

/** The proof of a request's verification, and what it keeps back once somebody asked. Each reading is in the access log. */
export function useProof(requestId: string) {
  const input = { request_id: requestId };
  const proof = useQuery({
    queryKey: ['proof', requestId],
    queryFn: ({ signal }) => api.requests.proof.query(input, { signal }),
  });
  const version = proof.data?.version;
  const reveal = useMutation({
    mutationFn: async () => {
      const [result, benefits, attempts] = await Promise.all([
        api.requests.reveal.mutate(input),
        api.requests.benefits.query({ ...input, ...(version !== undefined && { version }) }),
        api.requests.attempts.query(input),
      ]);
      return { result, benefits, attempt: attempts.items.find((one) => one.result_version === version) };
    },
  });
  return { proof, reveal };
}
