import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { Dialog, FormDialog } from '../look/dialog.tsx';
import { Field, TextArea, TextInput } from '../look/field.tsx';
import { FailureNotice, Notice } from '../look/notice.tsx';
import { Time } from '../look/time.tsx';
import { ValueText } from './compared-values.tsx';
import css from './held.module.css';

type Comparison = Outputs['heldOutputs']['compare'];

interface HeldDecisionProps {
  readonly held: Comparison['held'];
  readonly decision: NonNullable<Comparison['decision']>;
  readonly values: Comparison['values'];
}

/** Who settled a held output, when, and what that changed: `Applied by Olga at Nov 28 10:15:00: Eligibility Active → Inactive`. */
export function HeldDecision({ held, decision, values }: HeldDecisionProps) {
  const changed = values.filter(({ standing_difference: difference }) => difference !== 'none');
  const who = decision.by_name ?? 'a key without a name';
  if (decision.version === null)
    return (
      <p className={css.decision}>
        Dismissed by {who} at <Time at={decision.at} />
        {held.note === null ? '.' : `: ${held.note}`}
      </p>
    );
  return (
    <div className={css.decision}>
      <p>
        Applied by {who} at <Time at={decision.at} />
        {changed.length > 0 ? ':' : `, as result ${decision.version}.`}
      </p>
      {changed.length > 0 && (
        <ul>
          {changed.map(({ field, name, standing, offered }) => (
            <li key={field}>
              {name} <ValueText field={field} text={standing} places={[]} /> →{' '}
              <ValueText field={field} text={offered} places={[]} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface ApplyDialogProps {
  readonly comparison: Outputs['heldOutputs']['compare'];
  readonly onClose: () => void;
}

/**
 * A dialog that applies a held output. It names the receiver of the result first; where the patient may be another
 * person, it asks to confirm that.
 */
export function ApplyDialog({ comparison, onClose }: ApplyDialogProps) {
  const { held, request, receiver, standing, failed_tests: tests } = comparison;
  const [repeated, setRepeated] = useState('');
  const requestId = request?.request_id ?? '';
  const mismatches = tests.filter(({ test }) => test !== 'sender' && test !== 'first_result');
  const asksAgain = mismatches.length > 0 || requestId !== held.request_id;
  const isSure = !asksAgain || repeated.trim() === requestId.slice(-4);
  const apply = useMutation({
    mutationFn: () => api.heldOutputs.apply.mutate({ held_id: held.held_id, request_id: requestId }),
    onSuccess: onClose,
  });
  if (!receiver)
    return (
      <Dialog title="Apply the held output" onClose={onClose}>
        <p>It names no request. Find the one that it is about, and compare them first.</p>
        <div>
          <Button onClick={onClose}>Find the request</Button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title="Apply the held output"
      act="Apply"
      isReady={isSure}
      doing={apply}
      onSubmit={() => apply.mutate()}
      onClose={onClose}
    >
      {mismatches.length > 0 && (
        <Notice tone="warn">
          The patient may be another: {mismatches.map(({ sentence }) => sentence).join(', ')}.
        </Notice>
      )}
      <p>
        It becomes the {standing ? 'corrected result' : 'result'} of <code>{requestId}</code>. A webhook goes
        to <strong>{receiver.account_name}</strong> at <code>{receiver.host}</code> at once. It cannot be
        called back.
      </p>
      {asksAgain && (
        <Field label="The request’s last four characters" htmlFor="apply-again">
          <TextInput
            id="apply-again"
            autoComplete="off"
            spellCheck={false}
            value={repeated}
            onChange={(event) => setRepeated(event.target.value)}
          />
        </Field>
      )}
    </FormDialog>
  );
}

/** A dialog that dismisses a held output: it is settled and never applied. */
export function DismissDialog({
  heldId,
  onClose,
}: {
  readonly heldId: string;
  readonly onClose: () => void;
}) {
  const [note, setNote] = useState('');
  const dismiss = useMutation({
    mutationFn: () =>
      api.heldOutputs.dismiss.mutate({ held_id: heldId, ...(note.trim() !== '' && { note: note.trim() }) }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title="Dismiss the held output"
      act="Dismiss"
      doing={dismiss}
      onSubmit={() => dismiss.mutate()}
      onClose={onClose}
    >
      <p>It is not applied, and nobody is told. The request stays as it is.</p>
      <Field label="Why, for the next operator" htmlFor="dismiss-note">
        <TextArea id="dismiss-note" rows={3} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </FormDialog>
  );
}

interface OtherRequestProps {
  readonly compared: string | undefined;
  readonly onCompare: (requestId: string | undefined) => void;
}

/** A form that finds another request to compare with, by its id or by the Idempotency-Key that created it. */
export function OtherRequest({ compared, onCompare }: OtherRequestProps) {
  const [text, setText] = useState(compared ?? '');
  const search = useMutation({
    mutationFn: (sought: string) =>
      api.requests.search.mutate(
        sought.startsWith('req_') ? { request_id: sought } : { idempotency_key: sought },
      ),
    onSuccess: ({ items: [found] }) => {
      if (found) onCompare(found.request_id);
    },
  });
  const isNothing = search.data?.items.length === 0;
  return (
    <form
      className={css.other}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') search.mutate(text.trim());
      }}
    >
      <Field
        label="Is it about another request?"
        htmlFor="other"
        fault={isNothing ? 'No request has this id or key.' : undefined}
      >
        <TextInput
          id="other"
          autoComplete="off"
          spellCheck={false}
          placeholder="Its id, or its Idempotency-Key"
          value={text}
          invalid={isNothing}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={search.isPending}>
        Compare
      </Button>
      {compared !== undefined && <Button onClick={() => onCompare(undefined)}>Compare with its own</Button>}
      {search.error && <FailureNotice error={search.error} />}
    </form>
  );
}
