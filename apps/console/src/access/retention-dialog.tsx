import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { Dialog, FormDialog } from '../look/dialog.tsx';
import { FactList } from '../look/fact-list.tsx';
import { Field, TextInput } from '../look/field.tsx';
import css from '../look/form.module.css';
import { Named } from '../look/ids.tsx';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { FailureNotice } from '../look/notice.tsx';
import { Time } from '../look/time.tsx';

type Retention = Outputs['accounts']['retention'];

interface RetentionDialogProps {
  readonly account: { readonly account_id: string; readonly name: string };
  readonly onClose: () => void;
}

/** A dialog that sets after how many days the data of finished requests is erased. */
export function RetentionDialog({ account, onClose }: RetentionDialogProps) {
  const { account_id: id, name } = account;
  const query = useQuery({
    queryKey: ['accounts.retention', id],
    queryFn: ({ signal }) => api.accounts.retention.query({ account_id: id }, { signal }),
  });
  const [setsAnother, setSetsAnother] = useState(false);
  const title = `Retention of ${name}`;
  if (query.data?.asked && !setsAnother)
    return (
      <ConfirmForm
        title={title}
        retention={query.data}
        asked={query.data.asked}
        onAnother={() => setSetsAnother(true)}
        onClose={onClose}
      />
    );
  if (query.data) return <RetentionForm title={title} retention={query.data} onClose={onClose} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <Loaded query={query} what="account" skeleton={<SkeletonRows count={4} />}>
        {() => null}
      </Loaded>
    </Dialog>
  );
}

interface RetentionFormProps {
  readonly title: string;
  readonly retention: Retention;
  readonly onClose: () => void;
}

interface ConfirmFormProps extends RetentionFormProps {
  readonly asked: NonNullable<Retention['asked']>;
  readonly onAnother: () => void;
}

/** A shorter retention that somebody asked for, and a second person confirms. */
function ConfirmForm({ title, retention, asked, onAnother, onClose }: ConfirmFormProps) {
  const { account_id: id, retention_days: before } = retention;
  const { retention_days: days } = asked;
  const count = useQuery({
    queryKey: ['accounts.retention', id, days],
    queryFn: ({ signal }) => api.accounts.retention.query({ account_id: id, days }, { signal }),
  });
  const confirm = useMutation({
    mutationFn: () => api.accounts.confirmRetention.mutate({ account_id: id, retention_days: days }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={title}
      act={`Confirm ${days} days`}
      kind="danger"
      isReady={count.data !== undefined}
      doing={confirm}
      onSubmit={() => confirm.mutate()}
      onClose={onClose}
    >
      <FactList
        facts={[
          ['Now', retentionWords(before)],
          ['Asked for', `${days} days`],
          [
            'Asked',
            <span key="asked">
              <Time at={asked.asked_at} />, by <Named id={asked.asked_by} name={asked.asked_by_name} />
            </span>,
          ],
          ['Lapses', <Time key="lapses" at={asked.lapses_at} />],
        ]}
      />
      {count.error && <FailureNotice error={count.error} />}
      <p aria-live="polite">{count.data ? countSentence(count.data) : 'Counting …'}</p>
      <p>
        Another person than who asked confirms it. {BEGINS} <Button onClick={onAnother}>Set another …</Button>
      </p>
      <Standing retention={retention} />
    </FormDialog>
  );
}

const BEGINS = 'It begins in a day, and can be taken back until then. What is erased does not come back.';

const isDays = (text: string) => /^\d{1,4}$/.test(text) && Number(text) >= 3 && Number(text) <= 3_650;

function RetentionForm({ title, retention, onClose }: RetentionFormProps) {
  const { account_id: id, retention_days: before, asked } = retention;
  const [isKept, setIsKept] = useState(before === null);
  const [text, setText] = useState(before === null ? '' : String(before));
  const days = isKept ? null : isDays(text) ? Number(text) : undefined;
  // Nothing in place of an answer that is under way: the count of other days would let these be set unseen.
  const count = useQuery({
    queryKey: ['accounts.retention', id, days],
    queryFn: ({ signal }) =>
      api.accounts.retention.query({ account_id: id, ...(days && { days }) }, { signal }),
    enabled: typeof days === 'number',
  });
  const set = useMutation({
    mutationFn: () => api.accounts.setRetention.mutate({ account_id: id, retention_days: days ?? null }),
    onSuccess: onClose,
  });
  const isShorter = typeof days === 'number' && (before === null || days < before);
  const isMistyped = days === undefined && text !== '';
  return (
    <FormDialog
      title={title}
      act={isShorter ? 'Ask for these days' : days === before ? 'Take it back' : 'Set the retention'}
      isReady={
        days !== undefined && (days !== before || asked !== null) && !(isShorter && count.data === undefined)
      }
      doing={set}
      onSubmit={() => set.mutate()}
      onClose={onClose}
    >
      <fieldset className={css.choices}>
        <legend>The data of finished requests</legend>
        <label>
          <input type="radio" name="kept" checked={isKept} onChange={() => setIsKept(true)} />
          is kept
        </label>
        <label>
          <input type="radio" name="kept" checked={!isKept} onChange={() => setIsKept(false)} />
          is erased
        </label>
      </fieldset>
      {!isKept && (
        <Field
          label="Days after the end of a request, 3 to 3,650"
          htmlFor="retention-days"
          fault={isMistyped ? 'A whole number from 3 to 3,650.' : undefined}
        >
          <TextInput
            id="retention-days"
            inputMode="numeric"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value.trim())}
            invalid={isMistyped}
          />
        </Field>
      )}
      {count.error && typeof days === 'number' && <FailureNotice error={count.error} />}
      <p aria-live="polite">
        {isKept
          ? keptSentence(before)
          : count.data
            ? countSentence(count.data)
            : count.isFetching && 'Counting …'}
      </p>
      {isShorter && <p>Another person confirms it, within 7 days. {BEGINS}</p>}
      <Standing retention={retention} />
    </FormDialog>
  );
}

const keptSentence = (before: number | null) =>
  before === null ? null : 'Nothing more is erased. What is erased already does not come back.';

function countSentence({ would_erase: count, more }: Retention): string {
  if (count === 0) return 'No finished request is older.';
  const number = `${more ? 'More than ' : ''}${count.toLocaleString('en-US')}`;
  return count === 1 && !more
    ? 'One finished request is older, and loses its data.'
    : `${number} finished requests are older, and lose their data.`;
}

/** The changes of the retention: when, by whom, from what and to what. */
function Standing({ retention: { erases_from: from, holds, changes } }: { readonly retention: Retention }) {
  const [last] = changes;
  const [hold] = holds;
  return (
    <FactList
      facts={[
        [
          'Legal hold',
          hold && (
            <span key="hold">
              Nothing is erased since <Time at={hold.placed_at} />: <code>{hold.hold_id}</code>
            </span>
          ),
        ],
        ['Erases from', from && <Time key="from" at={from} />],
        [
          'Last change',
          last && (
            <span key="last">
              {retentionWords(last.days_before)} → {retentionWords(last.days_after)},{' '}
              <Time at={last.changed_at} />, by <code>{last.changed_by}</code>
              {last.asked_by !== null && (
                <>
                  , asked for by <code>{last.asked_by}</code>
                </>
              )}
            </span>
          ),
        ],
      ]}
    />
  );
}

const daysInWords = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;

/** A number of days that data is kept; null: for good. */
const retentionWords = (days: number | null): string => (days === null ? 'Kept' : daysInWords(days));

/** The retention of an account as the tables show it, with the shorter one that waits for a second person. */
export const accountRetentionWords = ({
  retention_days: days,
  retention_asked: asked,
}: {
  readonly retention_days: number | null;
  readonly retention_asked: number | null;
}): string => `${retentionWords(days)}${asked === null ? '' : `, ${daysInWords(asked)} to confirm`}`;
