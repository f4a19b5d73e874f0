import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { type Filters, inputOf } from './delivery-filters.ts';

interface RedeliverDialogProps {
  readonly filters: Filters;
  /** Called with the number of deliveries that are sent again; null when the dialog was cancelled. */
  readonly onClose: (count: number | null) => void;
}

/**
 * A dialog that counts the deliveries within the filters, the exhausted ones by default, and sends exactly those again.
 */
export function RedeliverDialog({ filters, onClose }: RedeliverDialogProps) {
  const { status = 'exhausted', since = '1970-01-01T00:00:00Z', ...rest } = inputOf(filters);
  const input = { ...rest, since, status: status === 'delivered' ? status : ('exhausted' as const) };
  const count = useQuery({
    queryKey: ['deliveries.redeliverMatching', input],
    queryFn: ({ signal }) => api.deliveries.redeliverMatching.mutate({ ...input, dry_run: true }, { signal }),
    gcTime: 0,
    staleTime: Infinity,
  });
  const token = count.data?.token ?? null;
  const send = useMutation({
    mutationFn: (of: string) => api.deliveries.redeliverMatching.mutate({ ...input, token: of }),
    onSuccess: ({ redelivered }) => onClose(redelivered),
  });
  const failed = send.error ?? count.error;
  return (
    <FormDialog
      title="Deliver again"
      act={count.data && token !== null ? `Deliver ${count.data.matching} again` : 'Deliver again'}
      isReady={token !== null}
      doing={{ isPending: send.isPending, error: failed }}
      onSubmit={() => token !== null && send.mutate(token)}
      onClose={() => onClose(null)}
    >
      {count.data ? (
        <p role="status">{sentenceOf(count.data, input.status)}</p>
      ) : (
        !failed && <p role="status">Counting …</p>
      )}
    </FormDialog>
  );
}

function sentenceOf({ matching, more }: { matching: number; more: boolean }, status: string): string {
  const stand = status === 'delivered' ? 'were delivered' : 'were given up';
  if (matching === 0) return `No deliveries that ${stand} meet the filters; nothing would be sent.`;
  const number = matching === 1 ? '1 delivery matches.' : `${matching} deliveries match.`;
  const first = more ? ' There are more: these are the ones accepted first.' : '';
  return `${number}${first} Each gets a new round of attempts with the same id and the same bytes. What fails from now on stays as it is.`;
}
