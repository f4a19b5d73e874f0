import type { VerifyWithin } from '@insurance-verification/schema';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { shortId } from '../look/ids.tsx';

/**
 * The limits of a verifier, as the continuation of a sentence; nothing without limits. Accounts by name; one
 * that is not among the newest hundred by the end of its id.
 */
export function Bounds({ within }: { readonly within: VerifyWithin | null }) {
  const { data } = useQuery({
    queryKey: ['accounts.list', 'names'],
    queryFn: ({ signal }) => api.accounts.list.query({ limit: 100 }, { signal }),
    enabled: Boolean(within?.account_ids),
  });
  const names = new Map(data?.items.map(({ account_id: id, name }) => [id, name]));
  const parts = [
    ['payers', within?.payer_ids],
    ['channels', within?.channels],
    ['accounts', within?.account_ids?.map((id) => names.get(id) ?? shortId(id))],
  ] as const;
  const limits = parts.flatMap(([name, kept]) => (kept ? [`${name} ${kept.join(', ')}`] : []));
  return limits.length === 0 ? null : <>. Verifies only for {limits.join('; ')}</>;
}
