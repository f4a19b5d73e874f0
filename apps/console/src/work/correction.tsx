import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { serverNow } from '../api/server-time.ts';
import { useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button.tsx';
import { Field, TextInput } from '../look/field.tsx';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { FailureNotice, Notice } from '../look/notice.tsx';
import { useNow } from '../look/use-now.ts';
import { queryClient } from '../session/query-client.ts';
import { AnswerForm } from './answer-form.tsx';
import { checkDraft, type Faults } from './check-draft.ts';
import { type AskedItem, type Doubts, doubtsAfter, doubtsOf, type Draft } from './draft.ts';
import { draftOfResult, type SaidDraft, type SaidResult } from './said-draft.ts';
import css from './work.module.css';

/** For how long a correction is applied without an operator. */
const CORRECTION_MS = 10 * 60_000;

interface CorrectionProps extends SaidResult {
  readonly done: Outputs['work']['done']['items'][number];
  readonly request: Outputs['requests']['get'];
  readonly onClose: () => void;
  /** Whether an operator looks at it first. */
  readonly onSent: (isHeld: boolean) => void;
}

/** The form of the answer, filled with what the person submitted, and the reason of the correction. */
export function Correction({ request, ...correction }: CorrectionProps) {
  const payers = useQuery({
    queryKey: ['work.payers'],
    queryFn: ({ signal }) => api.work.payers.query(undefined, { signal }),
  });
  return (
    <Loaded query={payers} what="payers" skeleton={<SkeletonRows count={4} />}>
      {({ items }) => {
        const payer = items.find(({ name }) => name === request.input.payer_info.name);
        if (!payer) return <Notice tone="warn">The payer of this request is not configured any more.</Notice>;
        return <CorrectionForm item={{ request, channel: correction.done.channel, payer }} {...correction} />;
      }}
    </Loaded>
  );
}

interface CorrectionFormProps extends Omit<CorrectionProps, 'request'> {
  readonly item: AskedItem;
}

/** What is typed, and what is wrong with it. */
interface Typed {
  readonly draft: Draft;
  readonly faults: Faults;
  readonly doubts: Doubts;
}

function CorrectionForm({ item, done, onClose, onSent, ...said }: CorrectionFormProps) {
  const [before] = useState(() => draftOfResult(said, item));
  const [typed, setTyped] = useState<Typed>({ draft: before.draft, faults: {}, doubts: {} });
  const [reason, setReason] = useState('');
  const [asksWhy, setAsksWhy] = useState(false);
  const [isUnchanged, setIsUnchanged] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const now = useNow();
  const isLate = done.delivery !== 'pending' || now >= Date.parse(done.ended_at) + CORRECTION_MS;
  useEffect(() => document.getElementById('reason')?.focus(), []);
  const correct = useMutation({
    mutationFn: (submission: Parameters<typeof api.work.correct.mutate>[0]) =>
      api.work.correct.mutate(submission),
    onSuccess: async ({ status }) => {
      onSent(status === 'held');
      const read = ['own done', 'done request', 'done result', 'done benefits', 'done attempts'];
      await Promise.all(read.map((queryKey) => queryClient.invalidateQueries({ queryKey: [queryKey] })));
    },
    onError: (err) => {
      const doubts = doubtsOf(failureOf(err).faults, typed.draft);
      if (doubts !== null) setTyped({ ...typed, doubts });
    },
  });
  const toFix = () =>
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-asked]')?.focus(),
    );
  const send = () => {
    if (correct.isPending) return;
    const checked = checkDraft({ item, ...typed }, new Date(serverNow()));
    const isExplained = reason.trim().length >= 3;
    setAsksWhy(!isExplained);
    const isSame = JSON.stringify(typed.draft.coverages) === JSON.stringify(before.draft.coverages);
    setIsUnchanged(isSame);
    if (isSame) return;
    if (checked.kind === 'faults') setTyped({ ...typed, faults: checked.faults, doubts: checked.doubts });
    if (checked.kind === 'faults' || !isExplained) return void toFix();
    correct.mutate({
      request_id: done.request_id,
      reason: reason.trim(),
      ...asSubmitted(checked.submission, { before, said, draft: typed.draft }),
    });
  };
  useKeys({ 'Control+Enter': send });
  return (
    <form
      ref={form}
      className={css.answer}
      aria-label="Correction"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {isLate && (
        <Notice tone="warn">
          An operator looks at it first: the clinic has your answer, or it is ten minutes old.
        </Notice>
      )}
      {isUnchanged && <Notice tone="warn">Nothing that the provider reads is changed yet.</Notice>}
      {correct.error && <FailureNotice error={correct.error} />}
      <Field
        label="Reason"
        htmlFor="reason"
        fault={asksWhy ? 'Type why, for operators and colleagues.' : undefined}
      >
        <TextInput
          id="reason"
          autoComplete="off"
          maxLength={500}
          invalid={asksWhy}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setAsksWhy(false);
          }}
        />
      </Field>
      <AnswerForm
        item={item}
        {...typed}
        onChange={(draft) => {
          setTyped({ draft, faults: {}, doubts: doubtsAfter(typed, draft) });
          setIsUnchanged(false);
        }}
        onConfirm={(key, isConfirmed) => {
          const doubt = typed.doubts[key];
          if (doubt) setTyped({ ...typed, doubts: { ...typed.doubts, [key]: { ...doubt, isConfirmed } } });
        }}
      />
      <div className={css.ways}>
        <Button kind="primary" type="submit" shortcut="Control+Enter" disabled={correct.isPending}>
          Send the correction
        </Button>
        <Button onClick={onClose}>Leave it as it was</Button>
      </div>
    </form>
  );
}

type Submission = Extract<ReturnType<typeof checkDraft>, { readonly kind: 'ready' }>['submission'];

interface Corrected {
  readonly before: SaidDraft;
  readonly said: SaidResult;
  readonly draft: Draft;
}

/**
 * The ids and the times of the verification are those of the first answer: only what was typed is corrected. Benefits
 * that the form does not show stay.
 */
function asSubmitted(submission: Submission, { before, said, draft }: Corrected): Submission {
  const places = draft.coverages.map(({ key }) =>
    before.draft.coverages.findIndex((coverage) => coverage.key === key),
  );
  const benefits = draft.coverages.flatMap(({ key }, entry) => {
    const typed = submission.benefits?.find((one) => one.entry === entry);
    const all = [...(typed?.benefits ?? []), ...(before.others[key] ?? [])];
    return typed || all.length > 0 ? [{ ...typed, entry, benefits: all }] : [];
  });
  const { benefits: _typed, ...rest } = submission;
  return {
    ...rest,
    insurance_data: submission.insurance_data.map((entry, index) => {
      const first = said.result.insurance_data[places[index] ?? -1];
      return first
        ? { ...entry, person_uuid: first.person_uuid, verification_time: first.verification_time }
        : entry;
    }),
    ...(benefits.length > 0 && { benefits }),
  };
}
