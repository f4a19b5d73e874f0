import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { FormDialog } from '../look/dialog.tsx';
import { Field, TextInput } from '../look/field.tsx';
import { fromTyped, toTyped } from '../look/read-date.ts';
import { useZone } from '../look/time.tsx';
import { type Endpoint, eventsOf } from './endpoint-words.ts';

const DAY_MS = 86_400_000;
/** An event happens before its first attempt fails. */
const MINUTE_MS = 60_000;

interface RecoverDialogProps {
  readonly endpoint: Endpoint;
  /** Called with a sentence once events are on their way; null when the dialog was cancelled. */
  readonly onClose: (sentence: string | null) => void;
}

/**
 * A dialog that counts what an endpoint did not take since a time, and then posts it again. The time begins as the one
 * since when it fails, or a day ago.
 */
export function RecoverDialog({ endpoint, onClose }: RecoverDialogProps) {
  const { endpoint_id: id, failing_since: failingSince } = endpoint;
  const { zone } = useZone();
  const [typed, setTyped] = useState(() =>
    toTyped(
      new Date(
        failingSince === null ? serverNow() - DAY_MS : Date.parse(failingSince) - MINUTE_MS,
      ).toISOString(),
      zone,
    ),
  );
  const since = fromTyped(typed, zone);
  const count = useQuery({
    queryKey: ['recover', id, since],
    queryFn: ({ signal }) =>
      api.endpoints.recover.mutate({ endpoint_id: id, since, dry_run: true }, { signal }),
    enabled: since !== '',
    gcTime: 0,
    staleTime: Infinity,
  });
  const recover = useMutation({
    mutationFn: () => api.endpoints.recover.mutate({ endpoint_id: id, since }),
    onSuccess: ({ recovered_count: posted, missed_count: left }) =>
      onClose(
        `${eventsOf(posted)} ${posted === 1 ? 'is' : 'are'} on the way again.${left > 0 ? ` ${eventsOf(left)} are left: recover again.` : ''}`,
      ),
  });
  const missed = count.data?.missed_count;
  const failed = recover.error ?? count.error;
  return (
    <FormDialog
      title="Recover since"
      act={missed ? `Post ${eventsOf(missed)} again` : 'Post again'}
      isReady={missed !== undefined && missed > 0}
      doing={{ isPending: recover.isPending, error: failed }}
      onSubmit={() => recover.mutate()}
      onClose={() => onClose(null)}
    >
      <Field label="Since" htmlFor="recover-since">
        <TextInput
          id="recover-since"
          type="datetime-local"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <p role="status">{sentenceOf(since, missed, failed !== null)}</p>
    </FormDialog>
  );
}

function sentenceOf(since: string, missed: number | undefined, hasFailed: boolean): string {
  if (since === '') return 'Choose a day and a time.';
  if (missed === undefined) return hasFailed ? '' : 'Counting …';
  if (missed === 0) return 'It took every event since then; nothing would be posted.';
  return `It did not take ${eventsOf(missed)} since then: given up, or missed while it was off. Each comes with its own id, the oldest first. What is still being tried is not counted. Events are kept for 30 days.`;
}
