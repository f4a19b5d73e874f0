import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';

/** The held outputs next to this one in the list of open ones, newest first. */
export function useNeighbours(heldId: string): {
  readonly older: string | undefined;
  readonly newer: string | undefined;
} {
  const { data } = useQuery({
    queryKey: ['heldOutputs.neighbours'],
    queryFn: ({ signal }) => api.heldOutputs.list.query({ limit: 100 }, { signal }),
    staleTime: 30_000,
  });
  const ids = data?.items.map(({ held_id: id }) => id) ?? [];
  const at = ids.indexOf(heldId);
  // Ids grow with time, so an output settled meanwhile keeps its position.
  const newer = ids.findLast((id) => id > heldId);
  return { older: at === -1 ? ids.find((id) => id < heldId) : ids[at + 1], newer };
}
