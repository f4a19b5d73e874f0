import { FailureReason } from '@insurance-verification/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { serverNow } from '../api/server-time.ts';
import { useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button.tsx';
import { Field, TextInput } from '../look/field.tsx';
import formCss from '../look/form.module.css';
import layoutCss from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { FailureNotice, Notice } from '../look/notice.tsx';
import { useNow } from '../look/use-now.ts';
import { queryClient } from '../session/query-client.ts';
import { AnswerForm } from './answer-form.tsx';
import { checkDraft, type Faults } from './check-draft.ts';
import { type AskedItem, type Doubts, doubtsAfter, doubtsOf, type Draft } from './draft.ts';
import { ReasonField } from './reason-field.tsx';
import { draftOfResult, type SaidDraft, type SaidResult } from './said-draft.ts';
import css from './work.module.css';

/** For how long a correction is applied without an operator. */
const CORRECTION_MS = 10 * 60_000;

interface CorrectionProps extends SaidResult {
  readonly done: Outputs['work']['done']['items'][number];
  readonly request: Outputs['requests']['get'];
  readonly onClose: () => void;
  readonly onSent: () => void;
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

type Submitted = Parameters<typeof api.work.correct.mutate>[0];

function CorrectionForm({ item, done, onClose, onSent, ...said }: CorrectionFormProps) {
  const [before] = useState(() => draftOfResult(said, item));
  const [typed, setTyped] = useState<Typed>({ draft: before.draft, faults: {}, doubts: {} });
  const [failure, setFailure] = useState<FailureReason | undefined>(reasonOf(done));
  const [isFailure, setIsFailure] = useState(done.outcome === 'failed');
  const [reason, setReason] = useState('');
  const [asksWhy, setAsksWhy] = useState(false);
  const [isUnchanged, setIsUnchanged] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const now = useNow();
  const appliedAt = Date.parse(done.applied_at ?? done.ended_at);
  const isLate = done.delivery !== 'pending' || now >= appliedAt + CORRECTION_MS;
  useEffect(() => document.getElementById('reason')?.focus(), []);
  const correct = useMutation({
    mutationFn: (submission: Submitted) => api.work.correct.mutate(submission),
    onSuccess: async () => {
      const read = ['own done', 'done request', 'done result', 'done benefits', 'done attempts'];
      await Promise.all(read.map((queryKey) => queryClient.invalidateQueries({ queryKey: [queryKey] })));
      onSent();
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
    const isExplained = reason.trim().length >= 3;
    setAsksWhy(!isExplained);
    const wasFailure = done.outcome === 'failed';
    const isSame =
      isFailure === wasFailure &&
      (isFailure
        ? failure === done.error_reason
        : JSON.stringify(typed.draft.coverages) === JSON.stringify(before.draft.coverages));
    setIsUnchanged(isSame);
    if (isSame) return;
    const named = { request_id: done.request_id, reason: reason.trim() };
    if (isFailure) {
      if (!isExplained || !failure) return void toFix();
      const { note, reference, representative } = typed.draft;
      return correct.mutate({
        ...named,
        error_reason: failure,
        note: note.trim() || null,
        reference: reference.trim() || null,
        representative: representative.trim() || null,
      });
    }
    const checked = checkDraft({ item, ...typed }, new Date(serverNow()));
    if (checked.kind === 'faults') setTyped({ ...typed, faults: checked.faults, doubts: checked.doubts });
    if (checked.kind === 'faults' || !isExplained) return void toFix();
    correct.mutate({ ...named, ...asSubmitted(checked.submission, { before, said, draft: typed.draft }) });
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
      <fieldset className={formCss.choices}>
        <legend>What it should be</legend>
        {KINDS.map(([isOne, label]) => (
          <label key={label}>
            <input
              type="radio"
              name="correct-to"
              checked={isFailure === isOne}
              onChange={() => {
                setIsFailure(isOne);
                setIsUnchanged(false);
              }}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <Field
        label="Why you correct it"
        htmlFor="reason"
        fault={asksWhy ? 'Type why you correct it.' : undefined}
        hint={<p className={layoutCss.quiet}>The clinic reads it with the result.</p>}
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
      {isFailure ? (
        <ReasonField
          channel={item.channel}
          chosen={failure}
          onChoose={(chosen) => {
            setFailure(chosen);
            setIsUnchanged(false);
          }}
          onEnter={send}
        />
      ) : (
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
      )}
      <div className={css.ways}>
        <Button kind="primary" type="submit" shortcut="Control+Enter" disabled={correct.isPending}>
          Send the correction
        </Button>
        <Button onClick={onClose}>Leave it as it was</Button>
      </div>
    </form>
  );
}

const KINDS = [
  [false, 'The payer’s answer'],
  [true, 'Could not verify'],
] as const;

/** The reason of a failure, where a verifier gave it. */
const reasonOf = ({ error_reason: reason }: CorrectionProps['done']): FailureReason | undefined =>
  FailureReason.options.find((slug) => slug === reason);

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
