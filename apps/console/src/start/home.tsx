import { useQuery } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { api } from '../api/api.ts';
import { WaitingPage } from '../look/page.tsx';
import type { Me } from '../session/use-me.ts';
import { placesOf } from '../shell/places.ts';

/**
 * `/`: redirects to the first page of the person's role; a person with `operate` and `requests` is sent to `/start` while
 * the account has no request.
 */
export function Home({ me }: { readonly me: Me }) {
  const [first] = placesOf(me);
  const looksAfterAll = me.scopes.includes('operate') && me.scopes.includes('requests');
  const requests = useQuery({
    queryKey: ['requests.list', 'any'],
    queryFn: ({ signal }) => api.requests.list.query({ limit: 1 }, { signal }),
    enabled: looksAfterAll,
  });
  if (looksAfterAll && requests.isPending) return <WaitingPage />;
  return (
    <Redirect to={requests.data?.items.length === 0 ? '/start' : (first?.path ?? '/settings')} replace />
  );
}
