import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { api, type Outputs } from './api.ts';

export type Settings = Outputs['settings']['get'];

/** The default settings, in force until the person's own are read. */
const UNSAID: Settings = { zone: null, density: 'standard', letter_keys: true };

let current = UNSAID;
const listeners = new Set<() => void>();

/** The person's settings of the console. The service stores them, so that they are the same in every browser. */
export const settings = (): Settings => current;

/** Applies settings to the page; null applies the defaults. */
function applySettings(next: Settings | null): void {
  current = next ?? UNSAID;
  document.documentElement.dataset['density'] = current.density;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useSettings = (): Settings => useSyncExternalStore(subscribe, settings, settings);

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
