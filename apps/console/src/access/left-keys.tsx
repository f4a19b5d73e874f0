import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { Notice } from '../look/state/notice.tsx';

/** Warns of keys that still work and were made by people who have left: they may have taken them along. */
export function LeftKeys() {
  const { data } = useQuery({
    queryKey: ['keys.list', 'left'],
    queryFn: ({ signal }) => api.keys.list.query({ creator: 'left', limit: 50 }, { signal }),
  });
  if (!data || data.items.length === 0) return null;
  return (
    <Notice tone="warn">
      Made by people who have left, and still working:{' '}
      {data.items.map(({ name, prefix }) => name ?? `${prefix}…`).join(', ')}
      {data.next_cursor !== null && ', and more'}. Make others for what needs them, and revoke these.
    </Notice>
  );
}
