import { useQuery } from '@tanstack/react-query';
import { api, type Outputs } from '../api/api.ts';

export type Me = Outputs['sessions']['me'];

/** Who is signed in, and what they may do. */
export const useMe = () =>
  useQuery({
    queryKey: ['sessions.me'],
    queryFn: ({ signal }) => api.sessions.me.query(undefined, { signal }),
    staleTime: 60_000,
  });
