import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';

/** The payers that requests may name. They change with a restart of the service alone. */
export const usePayers = () =>
  useQuery({
    queryKey: ['payers.list'],
    queryFn: ({ signal }) => api.payers.list.query(undefined, { signal }),
    staleTime: Infinity,
  });
