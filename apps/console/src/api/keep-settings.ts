import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from './api.ts';
import { applySettings, type Settings, settings } from './settings.ts';

const KEY = ['settings.get'];

/** Reads the settings of the signed-in person and applies them. */
export function useKeptSettings(): void {
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.settings.get.query(undefined, { signal }),
    staleTime: 60_000, // what another browser changed comes when somebody looks at this one again
  });
  useEffect(() => {
    if (data) applySettings(data);
  }, [data]);
  useEffect(() => () => applySettings(null), []);
}

/** Changes settings: applies them at once, and restores the previous ones when the service refuses them. */
export function useChangeSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<Settings>) => api.settings.set.mutate(changes),
    onMutate: async (changes) => {
      await queries.cancelQueries({ queryKey: KEY });
      const before = settings();
      applySettings({ ...before, ...changes });
      return before;
    },
    onSuccess: (kept) => queries.setQueryData(KEY, kept),
    onError: (_err, _changes, before) => before && applySettings(before),
  });
}
