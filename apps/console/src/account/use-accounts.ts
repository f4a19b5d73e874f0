import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Outputs } from '../api/api.ts';

export type FoundAccount = Outputs['sessions']['accounts']['items'][number];

/** The accounts that the person may act for, whose names contain the text; read while `enabled`. */
export const useAccounts = (name: string, limit: number, enabled = true) =>
  useQuery({
    queryKey: ['sessions.accounts', name, limit],
    queryFn: ({ signal }) => api.sessions.accounts.query({ name: name || undefined, limit }, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  });
