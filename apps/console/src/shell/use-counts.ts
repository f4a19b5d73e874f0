import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import type { Me } from '../session/use-me.ts';

/** How much calls for somebody at a page of the navigation. */
export interface Count {
  readonly count: number;
  readonly word: string;
  /** The list of exactly these, where the page has others as well. */
  readonly href?: string;
}

/** Late requests become so by the time alone, of which no event says anything. */
const LATE_MS = 60_000;

/** What calls somebody to a page, by its path: what waits for a person, is held, overdue or was given up. */
export function useCounts({ scopes, read_scopes: readScopes }: Me): ReadonlyMap<string, Count> {
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
  const requests = useQuery({
    queryKey: ['requests.stats'],
    queryFn: ({ signal }) => api.requests.stats.query(undefined, { signal }),
    enabled: [...scopes, ...readScopes].some((scope) => scope === 'requests' || scope === 'operate'),
    refetchInterval: LATE_MS,
  });
  const counts: readonly (readonly [string, string, number | undefined, string?])[] = [
    ['/work', 'wait', work.data?.items.reduce((sum, { claimable_count: count }) => sum + count, 0)],
    ['/held', 'held', held.data?.open_count],
    ['/requests', 'overdue', requests.data?.late_count, '/requests?late=yes'],
    ['/deliveries', 'given up', requests.data?.given_up_count, '/deliveries?status=exhausted'],
  ];
  return new Map(
    counts.flatMap(([path, word, count, href]) =>
      count ? [[path, { count, word, ...(href !== undefined && { href }) }] as const] : [],
    ),
  );
}
