import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { failureOf } from '../api/failure.ts';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button.tsx';
import { Unanswered } from '../look/late.tsx';
import layoutCss from '../look/layout.module.css';
import { Mark, Unseen } from '../look/mark.tsx';
import { FailureNotice, Notice } from '../look/notice.tsx';
import { TimeLeft } from '../look/time-left.tsx';
import { clockOf, duration, Time } from '../look/time.tsx';
import { useByClock } from '../look/use-now.ts';
import { useMe } from '../session/use-me.ts';
import { CHANNELS } from '../words/request-words.ts';
import { AnswerForm } from './answer-form.tsx';
import { AskColumn } from './ask-column.tsx';
import { CallBackDialog } from './call-back-dialog.tsx';
import { confirmPatient, type Job } from './desk.ts';
import { summaryOf, type WorkItem } from './draft.ts';
import { EvidenceColumn } from './evidence-column.tsx';
import { GiveUpDialog } from './give-up-dialog.tsx';
import { changeDraft, type Keeping, refuseOffered, takeOffered } from './keep-draft.ts';
import { enterPortal, toggleCall } from './lease-clock.ts';
import { useOtherTabs } from './other-tabs.ts';
import { Outgoing } from './outbox.tsx';
import { submit } from './send-results.ts';
import { giveBack, takeNamed } from './take-work.ts';
import { askToNotify, useLastMinute, useLease } from './use-lease.ts';
import css from './work.module.css';

/** The way to the next request, of the page: it outlives the form. */
export type MoveOn = UseMutationResult<void, Error, void>;

interface WorkbenchProps {
  readonly requestId: string;
  readonly job: Job;
  readonly moveOn: MoveOn;
}

/** The workbench of one leased request: what is asked, the form of the answer, and the text of the payer. */
export function Workbench({ requestId, job, moveOn }: WorkbenchProps) {
  const { item, draft, keeping, faults, doubts, lease: held } = job;
  const [, go] = useLocation();
  const [asks, setAsks] = useState<'why' | 'when' | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const lease = useLease(requestId, job);
  const isLost = held === 'lost';
  const isElsewhere = isLost || job.isInOtherTab;
  useOtherTabs(requestId);
  const call = () => {
    askToNotify();
    // After a call the name and the number are typed while they are fresh.
    if (lease.place === 'phone') afterCall(draft)?.focus();
    void toggleCall(requestId);
  };
  const callsBack = item.channel === 'manual_phone_call';
  const openPortal = () => {
    askToNotify();
    void enterPortal(requestId);
  };
  useLastMinute(isElsewhere ? null : lease.warning);

  const takeAgain = useMutation({ mutationFn: () => takeNamed(requestId) });
  const back = useMutation({ mutationFn: () => giveBack(requestId), onSuccess: () => go('/work') });
  const submitAnd = (then: () => void) => {
    if (submit(requestId)) then();
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(TO_FIX)?.focus());
  };
  const stop = () => submitAnd(() => go('/work'));
  const submitAndNext = () => submitAnd(() => moveOn.mutate());
  const keyOf = useKeyOf();
  useKeys(
    isElsewhere
      ? {}
      : {
          'Control+Enter': submitAndNext,
          'Control+Shift+Enter': stop,
          give_up: () => setAsks('why'),
          ...(callsBack && { call_back: () => setAsks('when') }),
          give_back: () => back.mutate(),
          call,
        },
  );
  // Again with another draft, as of a colleague who had the request meanwhile.
  const draftKey = draft.coverages[0]?.key;
  useEffect(() => firstToFill(form.current)?.focus(), [draftKey]);

  const { payer_info: payer, patient_info: patient } = item.request.input;
  // A sheet of 25 rows has the room of the text until there is one.
  const isWide = draft.pasted === '' && draft.coverages.some(({ sheet }) => sheet.name !== 'none');
  const error = moveOn.error ?? back.error;
  return (
    <main className={css.bench} id="main">
      <header className={css.top}>
        <div className={css.who}>
          <h1>{payer.name}</h1>
          <p className={css.patient}>{patient.name ?? patient.subscriber_id}</p>
        </div>
        <p className={css.channel}>
          {CHANNELS[item.channel]}
          <br />
          <span>Attempt {item.attempt}</span> <NeededBy item={item} />
        </p>
        <DraftState keeping={keeping} />
        <p className={css.lease} data-short={lease.secondsLeft < 60 || isElsewhere}>
          {isLost ? (
            <Mark tone="bad">Lease lost</Mark>
          ) : job.isInOtherTab ? (
            <Mark tone="warn">In another tab</Mark>
          ) : (
            <>
              <span className={css.clock} role="timer" aria-label="The request is yours for">
                {clockOf(lease.secondsLeft)}
              </span>
              <span>
                {lease.warning !== null
                  ? 'not renewed: you are away'
                  : lease.callSeconds !== null
                    ? `On a call for ${clockOf(lease.callSeconds)}: kept without a key pressed`
                    : lease.place === null
                      ? 'yours, renewed while you work'
                      : 'In the portal: kept without a key pressed'}
              </span>
            </>
          )}
        </p>
      </header>
      <Unanswered />
      {lease.warning !== null && !isElsewhere && (
        <Notice
          tone="warn"
          action={
            <Button shortcut={keyOf('call')} onClick={call}>
              On a call
            </Button>
          }
        >
          Are you still there?{' '}
          {lease.place === null ? 'Nothing was typed for five minutes.' : OVER[lease.place]} Press any key, or
          others get this request <span aria-hidden="true">in {Math.ceil(lease.warning)} s</span>
          <Unseen>in a minute</Unseen>.
        </Notice>
      )}
      {isElsewhere && (
        <Notice
          tone="warn"
          action={
            <Button disabled={takeAgain.isPending} onClick={() => takeAgain.mutate()}>
              Take it again
            </Button>
          }
        >
          {takeAgain.error
            ? failureOf(takeAgain.error).sentence
            : job.isInOtherTab
              ? 'You took this request in another tab, and it is yours there. What you typed here is still here, and is not saved.'
              : 'The request is not yours any more. What you typed is still here.'}
        </Notice>
      )}
      {error && <FailureNotice error={error} />}
      {job.offered && !isLost && <Offer requestId={requestId} offered={job.offered} />}
      <div className={css.columns} data-wide={isWide || undefined}>
        <AskColumn item={item} onOpenPortal={isLost ? undefined : openPortal} />
        <form
          ref={form}
          className={css.answer}
          aria-label="Answer"
          onSubmit={(event) => {
            event.preventDefault();
            stop();
          }}
        >
          <fieldset className={css.frozen} disabled={isLost}>
            <AnswerForm
              item={item}
              draft={draft}
              faults={faults}
              doubts={doubts}
              onChange={(changed) => changeDraft(requestId, changed)}
              onConfirm={(key, isConfirmed) => confirmPatient(requestId, key, isConfirmed)}
            />
          </fieldset>
        </form>
        <EvidenceColumn requestId={requestId} item={item} draft={draft} isFrozen={isLost} />
      </div>
      <footer className={css.foot}>
        <div className={css.ways} data-actions="">
          <Button kind="primary" shortcut="Control+Enter" disabled={isElsewhere} onClick={submitAndNext}>
            Submit and next
          </Button>
          <Button disabled={isElsewhere} onClick={stop} title="Ctrl Shift Enter">
            Submit
          </Button>
          <Button shortcut={keyOf('give_up')} disabled={isElsewhere} onClick={() => setAsks('why')}>
            Could not verify
          </Button>
          <Button shortcut={keyOf('give_back')} disabled={back.isPending} onClick={() => back.mutate()}>
            {isElsewhere ? 'Leave it' : 'Release'}
          </Button>
          <Button
            shortcut={keyOf('call')}
            disabled={isElsewhere}
            aria-pressed={lease.place === 'phone'}
            onClick={call}
          >
            On a call
          </Button>
          {callsBack && (
            <Button shortcut={keyOf('call_back')} disabled={isElsewhere} onClick={() => setAsks('when')}>
              Call back later
            </Button>
          )}
        </div>
        <Outgoing className={css.outgoing} />
      </footer>
      {asks === 'when' && (
        <CallBackDialog
          requestId={requestId}
          payer={item.payer}
          onClose={() => setAsks(null)}
          onDone={() => moveOn.mutate()}
        />
      )}
      {asks === 'why' && (
        <GiveUpDialog
          requestId={requestId}
          channel={item.channel}
          onClose={() => setAsks(null)}
          onDone={() => moveOn.mutate()}
        />
      )}
    </main>
  );
}

interface OfferProps {
  readonly requestId: string;
  readonly offered: NonNullable<Job['offered']>;
}

/** What a colleague has typed, to use or not. */
function Offer({ requestId, offered: { draft, keeping } }: OfferProps) {
  return (
    <Notice
      tone="good"
      action={
        <span className={layoutCss.row}>
          <Button onClick={() => takeOffered(requestId)}>Use it</Button>
          <Button onClick={() => refuseOffered(requestId)}>No</Button>
        </span>
      }
    >
      {keeping.savedBy?.name ?? 'Another program'} had typed: {summaryOf(draft)}. Use it?
    </Notice>
  );
}

/** Whether the draft is saved, how long ago and by whom. A screen reader speaks a new state, not each change of the age. */
function DraftState({ keeping: { state, savedAt, savedBy } }: { readonly keeping: Keeping }) {
  const { data: me } = useMe();
  const text = useByClock((now) => (savedAt === null ? '' : duration(Math.max(0, (now - savedAt) / 1_000))));
  const age = savedAt === null ? null : text;
  const by = savedBy === null || savedBy.id === me?.id ? '' : ` by ${savedBy.name ?? 'another program'}`;
  const spoken = state === 'idle' && age !== null ? `Saved${by}.` : (UNSAVED[state] ?? '');
  return (
    <div>
      {state === 'offline' ? (
        <Mark tone="warn">{`Offline: kept in this tab, ${age === null ? 'not saved yet' : `saved ${age} ago`}`}</Mark>
      ) : state === 'refused' ? (
        <Mark tone="warn">Not saved yet: kept in this tab</Mark>
      ) : state === 'lost' ? (
        <Mark tone="warn">Not saved</Mark>
      ) : state === 'saving' || state === 'typed' ? (
        <span>Saving …</span>
      ) : (
        age !== null && <Mark tone="good">{`Saved ${age} ago${by}`}</Mark>
      )}
      <Unseen role="status">{spoken}</Unseen>
    </div>
  );
}

const UNSAVED: Partial<Record<Keeping['state'], string>> = {
  offline: 'The service does not answer. Your text is kept in this tab.',
  refused: 'The service did not save your text. It is kept in this tab, and tried again.',
  lost: 'Your text is not saved: another tab or verifier has the request.',
};

/** Why that ends. */
const OVER = {
  phone: 'The 90 minutes of the call are almost over.',
  portal: 'The 30 minutes in the portal are almost over.',
};

/** The field to focus at the end of a call: the representative's name, or once it is there the reference number. */
const afterCall = ({ representative }: Job['draft']) =>
  (representative === '' ? document.getElementById('representative') : null) ??
  document.getElementById('reference');

/** The faults of the draft and the questions of the service. */
const TO_FIX = '[aria-invalid="true"], [data-asked]';

/** The field to focus: the one that the service asks about; else the first empty one; else the first. */
function firstToFill(form: HTMLFormElement | null): HTMLElement | null | undefined {
  const asked = form?.querySelector<HTMLElement>('[data-asked]');
  if (asked) return asked;
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('input, textarea') ?? [])];
  const isEmpty = ({ type, name, value }: HTMLInputElement) =>
    type === 'radio' ? !fields.some((one) => one.name === name && one.checked) : value === '';
  return fields.find(isEmpty) ?? fields[0];
}

/** By when the request's account needs the answer, with the time left; nothing where it did not say. */
function NeededBy({ item: { needed_by: by } }: { readonly item: Pick<WorkItem, 'needed_by'> }) {
  if (by === null) return null;
  return (
    <span>
      Needed by <Time at={by} /> <TimeLeft by={by} tone="warn" />
    </span>
  );
}
