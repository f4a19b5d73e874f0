import { AttemptOutcome, DeliveryStatus, ErrorReason } from '@insurance-verification/schema';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import { api } from '../api/api.ts';
import type { Filter } from '../filters/filter-bar.tsx';
import { modeOf, TestsShown } from '../filters/tests-filter.ts';
import { Button } from '../look/button.tsx';
import { FormDialog } from '../look/dialog.tsx';
import { Mark } from '../look/mark.tsx';
import { FailureNotice, Notice } from '../look/notice.tsx';
import { AGE_CHOICES, spanOf } from '../look/read-date.ts';
import { Time } from '../look/time.tsx';
import { useByClock } from '../look/use-now.ts';
import { useMe } from '../session/use-me.ts';
import { reasonChoices } from '../words/reason-words.ts';
import { DELIVERIES, SENDINGS } from '../words/request-words.ts';

interface RedeliverButtonProps {
  /** Null for an event. */
  readonly requestId: string | null;
  /** The latest delivery of the request, or that of the event. */
  readonly delivery: OneDelivery;
}

interface OneDelivery {
  readonly delivery_id: string;
  readonly status: string;
}

/** Sends one result or event again. Shown where no delivery of it is under way and the person has the permission. */
export function RedeliverButton({ requestId, delivery }: RedeliverButtonProps) {
  const { data: me } = useMe();
  const queries = useQueryClient();
  const isOwn = me?.scopes.includes('requests') ?? false;
  const isAnybodys = me?.scopes.includes('operate') ?? false;
  const { status } = delivery;
  const redeliver = useMutation({
    mutationFn: () =>
      isAnybodys || requestId === null ? redeliverCounted(delivery) : redeliverOwn(requestId),
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
          There is nothing to send again: it is under way, a newer result took its place, its data was erased,
          or its endpoint is off.
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

/**
 * Operators, and for events everyone, call the operation that sends all matching deliveries again, here narrowed to one.
 */
async function redeliverCounted({ delivery_id, status }: OneDelivery): Promise<'sent' | 'nothing'> {
  const input = {
    delivery_id,
    since: '1970-01-01T00:00:00Z',
    status: status === 'delivered' ? ('delivered' as const) : ('exhausted' as const),
  };
  const { token } = await api.deliveries.redeliverMatching.mutate({ ...input, dry_run: true });
  if (token === null) return 'nothing';
  await api.deliveries.redeliverMatching.mutate({ ...input, token });
  return 'sent';
}

interface RedeliverDialogProps {
  readonly filters: Filters;
  /** Called with the number of deliveries that are sent again; null when the dialog was cancelled. */
  readonly onClose: (count: number | null) => void;
}

/**
 * A dialog that counts the deliveries within the filters, the exhausted ones by default, and sends exactly those again.
 */
export function RedeliverDialog({ filters, onClose }: RedeliverDialogProps) {
  const { data: me } = useMe();
  const { status = 'exhausted', since = '1970-01-01T00:00:00Z', ...rest } = inputOf(filters);
  const input = {
    ...rest,
    ...modeOf(filters, me),
    since,
    status: status === 'delivered' ? status : ('exhausted' as const),
  };
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
  const ended = status === 'delivered' ? 'were delivered' : 'were given up';
  if (matching === 0) return `No deliveries that ${ended} meet the filters; nothing would be sent.`;
  const number = matching === 1 ? '1 delivery matches.' : `${matching} deliveries match.`;
  const first = more ? ' There are more: these are the ones accepted first.' : '';
  return `${number}${first} Each gets a new round of attempts with the same id and the same bytes. What fails from now on stays as it is.`;
}

interface NextTryProps {
  /** When the next attempt is due. */
  readonly at: string;
  /** Since when its receiver is paused; null while it is not. */
  readonly pausedSince: string | null;
}

/** When something is tried next. What is due already waits for its turn: a time in the past is never called next. */
export function NextTry({ at, pausedSince }: NextTryProps) {
  const due = useByClock((now) => (Date.parse(at) <= now ? 'As soon as its turn comes' : ''));
  return (
    <>
      {due === '' ? <Time at={at} /> : due}
      {pausedSince !== null && (
        <>
          {' '}
          <Mark tone="warn">Paused</Mark> since <Time at={pausedSince} />
        </>
      )}
    </>
  );
}

const text = () => z.string().min(1).optional();
/** The filters as the query string of the address holds them: all are text. */
const number = () =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .optional();

/** The query parameters that the page reads from its address. */
export const Filters = z.object({
  status: DeliveryStatus.optional(),
  outcome: AttemptOutcome.optional(),
  age: text(),
  host: text(),
  status_code: number(),
  reason: text(),
  attempts_min: number(),
  account_id: text(),
  tests: TestsShown,
  request_id: text(),
  endpoint_id: text(),
  since: text(),
  until: text(),
  order: z.literal('oldest').optional(),
});
export type Filters = z.infer<typeof Filters>;

const REASON_CHOICES = reasonChoices([
  ...ErrorReason.options.filter((slug) => slug.startsWith('webhook_')),
  'endpoint_off',
]);

export const FIELDS: readonly Filter<Exclude<keyof Filters, 'order' | 'cursor' | 'page'>>[] = [
  { name: 'host', label: 'Host', hint: 'Host of the receiver', kind: 'search' },
  {
    name: 'status',
    label: 'Status',
    choices: DeliveryStatus.options.map((one) => [one, DELIVERIES[one].word] as const),
  },
  {
    name: 'outcome',
    label: 'Last attempt',
    choices: AttemptOutcome.options.map((one) => [one, SENDINGS[one]] as const),
  },
  { name: 'age', label: 'Age', choices: AGE_CHOICES },
  { name: 'status_code', label: 'Answer code', hint: '500', kind: 'number', rare: true },
  { name: 'reason', label: 'Reason', choices: REASON_CHOICES, rare: true },
  { name: 'attempts_min', label: 'Attempts, at least', kind: 'number', rare: true },
  { name: 'account_id', label: 'Account', kind: 'account', rare: true },
  { name: 'request_id', label: 'Request', hint: 'req_…', rare: true },
  { name: 'endpoint_id', label: 'Endpoint', hint: 'ep_…', rare: true },
  { name: 'since', label: 'Accepted since', kind: 'time', rare: true },
  { name: 'until', label: 'Accepted before', kind: 'time', rare: true },
];

/** What of these filters narrows `deliveries.list`. */
export function inputOf({
  tests: _tests,
  age,
  since,
  until,
  order: _order,
  status_code,
  attempts_min,
  ...filters
}: Filters) {
  return {
    ...filters,
    ...(status_code !== undefined && { status_code: Number(status_code) }),
    ...(attempts_min !== undefined && { attempts_min: Number(attempts_min) }),
    ...spanOf(age, { since, until }),
  };
}
