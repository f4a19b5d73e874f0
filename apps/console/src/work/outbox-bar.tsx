import { useMutation } from '@tanstack/react-query';
import { createPortal } from 'react-dom';
import { useLocation } from 'wouter';
import { failureOf } from '../api/failure.ts';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button.tsx';
import layoutCss from '../look/layout.module.css';
import { Unseen } from '../look/mark.tsx';
import { Notice } from '../look/notice.tsx';
import { useNow } from '../look/use-now.ts';
import { jobOf } from './desk.ts';
import css from './outbox.module.css';
import { type UnsentResult, useOutbox } from './outbox.tsx';
import { dismissUnsent, openUnsent, undo, UNDO_MS } from './send-results.ts';
import { giveBack } from './take-work.ts';

/** The results that are not accepted yet, and the outcome of the last: on each page, where the page has its place. */
export function OutboxBar() {
  const { results, outcome, place } = useOutbox();
  const [path, go] = useLocation();
  const undoable = results.find(({ state }) => state === 'undoable');
  const takeBack = () => {
    const requestId = undo();
    const here = /^\/work\/([^/]+)$/.exec(path)?.[1];
    if (requestId === null || requestId === here) return;
    // The one that was taken meanwhile has nothing typed: others may have it.
    if (here !== undefined && jobOf(here)) void giveBack(here);
    go(`/work/${requestId}`);
  };
  const keyOf = useKeyOf();
  useKeys({ undo: undoable ? takeBack : undefined });
  const waiting = results.filter(({ state }) => state === 'waiting');
  const stopped = results.filter(({ state }) => state === 'refused' || state === 'lost');
  if (stopped.length + waiting.length === 0 && !undoable && outcome === null) return null;
  const shown = (
    <section className={css.outbox} aria-label="Results on their way">
      {stopped.map((result) => (
        <Stopped key={result.requestId} result={result} />
      ))}
      {waiting.length > 0 && (
        <Notice tone="warn">
          {waiting.length === 1 ? '1 result waits' : `${waiting.length} results wait`} to be sent:{' '}
          {waiting.map(({ name }) => name).join(', ')}.
        </Notice>
      )}
      {undoable && (
        <Notice
          tone="good"
          action={
            <Button shortcut={keyOf('undo')} onClick={takeBack}>
              Undo
            </Button>
          }
        >
          <Countdown unsent={undoable} />
        </Notice>
      )}
      {outcome !== null && !undoable && <Notice tone="good">{outcome}</Notice>}
    </section>
  );
  return place ? createPortal(shown, place) : <div className={css.below}>{shown}</div>;
}

function Stopped({ result: { requestId, name, state, sentence } }: { readonly result: UnsentResult }) {
  const [path, go] = useLocation();
  const dismiss = useMutation({ mutationFn: () => dismissUnsent(requestId) });
  const open = () => {
    openUnsent(requestId);
    if (path !== `/work/${requestId}`) go(`/work/${requestId}`);
  };
  return (
    <Notice
      tone={state === 'lost' ? 'warn' : 'bad'}
      action={
        <span className={layoutCss.row}>
          <Button onClick={open} aria-label={`Open it: ${name}`}>
            Open it
          </Button>
          <Button
            disabled={dismiss.isPending}
            onClick={() => dismiss.mutate()}
            aria-label={`Dismiss: ${name}`}
          >
            Dismiss
          </Button>
        </span>
      }
    >
      <strong>{name}.</strong> {dismiss.error ? failureOf(dismiss.error).sentence : sentence}
    </Notice>
  );
}

function Countdown({ unsent: { kind, name, sendsAt } }: { readonly unsent: UnsentResult }) {
  useNow();
  const seconds = Math.min(UNDO_MS / 1_000, Math.max(0, Math.ceil((sendsAt - Date.now()) / 1_000)));
  return (
    <>
      {kind === 'result' ? 'The result' : '“Could not verify”'} is sent{' '}
      <span className={css.seconds} data-seconds={seconds}>
        <Unseen>in five seconds</Unseen>
      </span>
      : {name}.
    </>
  );
}
