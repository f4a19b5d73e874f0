import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import type { WorkItem } from './draft.ts';

/** When a payer's phone is answered in the next days; undefined where it is always, and until it is read. */
export function useOpenTimes({ name, time_zone: timeZone }: WorkItem['payer']) {
  const { data } = useQuery({
    queryKey: ['payers to call'],
    queryFn: ({ signal }) => api.work.payers.query(undefined, { signal }),
    staleTime: 3_600_000,
    enabled: timeZone !== null,
  });
  return timeZone === null ? undefined : data?.open_times.filter(({ payer }) => payer === name);
}
