import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';

/** The payers of the service, which change only with its restart. */
export const usePayers = () =>
  useQuery({
    queryKey: ['payers.list'],
    queryFn: ({ signal }) => api.payers.list.query(undefined, { signal }),
    staleTime: Infinity,
  });
