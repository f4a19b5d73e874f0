import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';

/** The payers of the service, which change only with its restart. */
export const usePayers = () =>
  useQuery({
    queryKey: ['payers.list'],
    queryFn: ({ signal }) => api.payers.list.query(undefined, { signal }),
    staleTime: Infinity,
  });

/** Names a payer by its id; one that the configuration has dropped by its id. */
export function usePayerName(): (id: string | null | undefined) => string {
  const payers = usePayers().data?.items;
  return (id) => payers?.find(({ payer_id: one }) => one === id)?.name ?? id ?? '';
}
