import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import type { Me } from '../session/use-me.ts';

/** How much waits at a page of the navigation. */
export interface Count {
  readonly count: number;
  readonly word: string;
}

/** What calls somebody to a page, by its path: what waits for a person, and what is held. */
export function useCounts({ scopes }: Me): ReadonlyMap<string, Count> {
  const work = useQuery({
    queryKey: ['work.stats', undefined],
    queryFn: ({ signal }) => api.work.stats.query({ verifier: 'person' }, { signal }),
    placeholderData: keepPreviousData,
    enabled: scopes.includes('verify'),
  });
  const held = useQuery({
    queryKey: ['heldOutputs.stats'],
    queryFn: ({ signal }) => api.heldOutputs.stats.query(undefined, { signal }),
    enabled: scopes.includes('operate'),
  });
  const counts: readonly (readonly [string, string, number | undefined])[] = [
    ['/work', 'wait', work.data?.items.reduce((sum, { claimable_count: count }) => sum + count, 0)],
    ['/held', 'held', held.data?.open_count],
  ];
  return new Map(counts.flatMap(([path, word, count]) => (count ? [[path, { count, word }] as const] : [])));
}
