import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, type Outputs } from '../api/api.ts';

/** A request as the search returns it. */
export type FoundRequest = Outputs['requests']['search']['items'][number];

/** Milliseconds without a key after which the service is asked. */
const PAUSE_MS = 250;
/** The newest requests in which initials are looked for: a name is sealed, and no index finds its letters. */
const NEWEST_COUNT = 100;
const SHOWN_COUNT = 8;

/** `jd`, `J.D.`, `j. d.`: the letters, in capitals; null for anything else. */
function initialsIn(typed: string): string | null {
  const letters = typed.replaceAll(/[.\s]/g, '').toUpperCase();
  return /^\p{L}{2,3}$/u.test(letters) && typed.length <= 8 ? letters : null;
}

const lettersOf = (initials: string | null): string =>
  (initials ?? '').replaceAll(/[.\s]/g, '').toUpperCase();

/** Whether a text may be a whole member id. */
const mayBeMemberId = (typed: string): boolean => typed.length >= 5 && /\d/.test(typed);

/**
 * The requests within reach that a typed text finds: by the whole member id, or by the patient's initials among the newest.
 * Nothing of it is kept once it is not shown.
 */
export function useFoundRequests(typed: string) {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const initials = initialsIn(asked);
  const query = useQuery({
    queryKey: ['palette', asked],
    queryFn: async ({ signal }): Promise<readonly FoundRequest[]> => {
      const filter =
        initials === null ? { subscriber_id: asked, limit: SHOWN_COUNT } : { limit: NEWEST_COUNT };
      const { items } = await api.requests.search.mutate(filter, { signal });
      return initials === null
        ? items
        : items.filter((one) => lettersOf(one.patient_initials) === initials).slice(0, SHOWN_COUNT);
    },
    enabled: asked === typed && (initials !== null || mayBeMemberId(asked)),
    gcTime: 0,
  });
  return asked === typed ? query : { ...query, data: undefined };
}
