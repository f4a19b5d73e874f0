import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import { Notice } from '../look/state/notice.tsx';
import { useMe } from '../session/use-me.ts';

interface RedeliverButtonProps {
  readonly requestId: string;
  /** The latest delivery of the request. */
  readonly delivery: { readonly status: string };
}

/** Sends one result again. Shown where no delivery of it is under way and the person has the permission. */
export function RedeliverButton({ requestId, delivery }: RedeliverButtonProps) {
  const { data: me } = useMe();
  const queries = useQueryClient();
  const isOwn = me?.scopes.includes('requests') ?? false;
  const isAnybodys = me?.scopes.includes('operate') ?? false;
  const { status } = delivery;
  const redeliver = useMutation({
    mutationFn: () => (isAnybodys ? redeliverAnybodys(requestId, status) : redeliverOwn(requestId)),
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [name, id] }) =>
          id === requestId || name === 'deliveries.get' || name === 'deliveries.list',
      }),
  });
  if (!(isOwn || isAnybodys) || (status !== 'exhausted' && status !== 'delivered')) return null;
  return (
    <>
      {redeliver.error && <FailureNotice error={redeliver.error} />}
      {redeliver.data === 'nothing' && (
        <Notice tone="warn">
          There is nothing to send again: it is under way, a newer result took its place, or its data was
          erased.
        </Notice>
      )}
      <Button disabled={redeliver.isPending} onClick={() => redeliver.mutate()}>
        Deliver again
      </Button>
    </>
  );
}

const redeliverOwn = async (requestId: string): Promise<'sent'> => {
  await api.requests.redeliver.mutate({ request_id: requestId });
  return 'sent';
};

/** Operators call the operation that sends all matching deliveries again, here narrowed to one. */
async function redeliverAnybodys(requestId: string, status: string): Promise<'sent' | 'nothing'> {
  const input = {
    request_id: requestId,
    since: '1970-01-01T00:00:00Z',
    status: status === 'delivered' ? ('delivered' as const) : ('exhausted' as const),
  };
  const { token } = await api.deliveries.redeliverMatching.mutate({ ...input, dry_run: true });
  if (token === null) return 'nothing';
  await api.deliveries.redeliverMatching.mutate({ ...input, token });
  return 'sent';
}
